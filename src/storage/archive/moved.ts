/** What both directions tell. */
export interface Moved {
  /** By table. */
  rows: Record<string, number>
  /** Images and fonts, and images that AI models gave. */
  blobs: number
  /** Of the blobs. */
  bytes: number
}

/** So much more is done. */
export type OnProgress = (more: { rows?: number; blobs?: number; bytes?: number }) => void
