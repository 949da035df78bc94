/** How long records are stored, and how many of each account: see the table in storage/database/retention/kinds.ts. */

export interface SweepOptions {
  /** The most records that one call removes, roughly. The next call continues. */
  rowsMax: number
  signal?: AbortSignal | undefined
}

export interface RoomOptions {
  /** Bytes that the records that are left may have. Default: the limit of the kind. */
  bytesMax?: number | undefined
  /** The most parts that are removed, if the caller waits for them. */
  partsMax?: number | undefined
  signal?: AbortSignal | undefined
}

export interface Removed {
  rows: number
  /** Bytes of the records of the account that are left. */
  bytesLeft: number
  /** Keys of the blobs of the removed records. The background job removes them, too. */
  blobKeys: string[]
}

export interface Retention {
  /** The background jobs, in the order in which they run. */
  jobs: readonly { name: string; everyMs: number }[]
  /**
   * Removes the records of a job that are too old, or too many of an account: in parts, with other work between them. A part is one transaction, with the
   * notes of its blobs. The error of one account is thrown after the others had their turn.
   */
  sweep(job: string, options: SweepOptions): Promise<number>
  /** The bytes that the records of an account count for. */
  bytesOf(job: string, accountId: string): Promise<number>
  /** The bytes that they may count for. */
  bytesMaxOf(job: string, accountId: string): Promise<number>
  /** Removes the first records of an account, in the order of removal, until it has at most `bytesMax`. */
  makeRoom(job: string, accountId: string, options?: RoomOptions): Promise<Removed>
}
