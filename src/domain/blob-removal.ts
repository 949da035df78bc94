/** Blobs that are to be removed because their row is gone: noted in the transaction that removed the row. */

export interface BlobRemoval {
  key: string
  requestedAt: number
}

export interface BlobRemovalStore {
  /** The oldest first. */
  list(limit: number): Promise<BlobRemoval[]>
  /** Deletes a note once the blob is gone. */
  done(key: string): Promise<void>
}
