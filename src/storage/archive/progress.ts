/** The totals of an export or import. */
export interface ArchiveTotals {
  /** Rows by table. */
  rows: Record<string, number>
  /** Number of images, fonts and images of AI models. */
  blobs: number
  /** Size of the blobs. */
  bytes: number
}

/** An import also says what it brings back: the archive can have accounts that were deleted after it was written. */
export interface Imported extends ArchiveTotals {
  /** Accounts by id. */
  accounts: Record<string, ImportedAccount>
}

export interface ImportedAccount {
  name: string
  images: number
  workflows: number
  keys: number
}

/** Called with what was done since the last call. */
export type OnProgress = (more: { rows?: number; blobs?: number; bytes?: number }) => void
