/** The totals of an export or import. */
export interface ArchiveTotals {
  /** Rows by table. */
  rows: Record<string, number>
  /** Number of images, fonts and images of AI models. */
  blobs: number
  /** Size of the blobs. */
  bytes: number
}

/** Called with what was done since the last call. */
export type OnProgress = (more: { rows?: number; blobs?: number; bytes?: number }) => void
