/** Blobs that are to be removed because they have no row: noted in the transaction that removed the row, or when they are found. */

export interface BlobRemoval {
  key: string
  /** Later than the last try, if that failed. */
  dueAt: number
}

export interface BlobRemovalStore {
  /** The oldest first. With `dueBy`: only those that are due at this time. */
  list(limit: number, dueBy?: number): Promise<BlobRemoval[]>
  /** Notes blobs that are not noted yet. Returns how many. */
  add(keys: readonly string[], now: number): Promise<number>
  /** Moves notes behind those that are due earlier: their blobs couldn't be removed. */
  postpone(keys: readonly string[], dueAt: number): Promise<void>
  /** Deletes a note once the blob is gone. */
  done(key: string): Promise<void>
}
