/** Removal of everything that belongs to an account or a project that was marked as deleted. */

/** A process notes at this interval that it removes an account. */
export const removalNotedMs = 20_000

export interface RemovalOptions {
  /** The most rows that one call removes, roughly. The next call continues. */
  rowsMax?: number
  signal?: AbortSignal | undefined
}

export interface RemovedRecords {
  /** False if rows may be left: the next call continues. */
  isGone: boolean
  /** Number of removed rows by table. */
  rows: Record<string, number>
  /** Blobs of the removed rows. The background job removes them, too. */
  blobKeys: string[]
}

export interface Removal {
  /** Removes the records of an account that was marked, in parts, and the account last. A part is one transaction, with the notes of its blobs. */
  removeAccount(accountId: string, options?: RemovalOptions): Promise<RemovedRecords>
  /**
   * Moves or removes the images and workflows of a project that was marked, in parts. The project itself stays hidden for some minutes, for executions that are
   * about to store an output in it.
   */
  removeProject(projectId: string, options?: RemovalOptions): Promise<RemovedRecords>
}
