/** Step results for later executions: by key for all executions of an account, by task for an execution that resumes another. */

export interface StepResult {
  accountId: string
  /** A hash of everything that the result depends on. */
  key: string
  /** Null if the result has no bytes. */
  blobKey: string | null
  /** Bytes that the result counts for. */
  size: number
  /** JSON of the service that writes it. */
  facts: string
  createdAt: number
  /** When it was last looked up. */
  usedAt: number
}

/** A step result of an execution that failed, for one that resumes it. */
export interface StepCheckpointRecord extends Omit<StepResult, 'key' | 'usedAt'> {
  executionId: string
  /** A hash of the operation, its params and inputs. */
  task: string
  /** The key of the result; null if it has none. */
  key: string | null
}

/** A part of an eviction. */
export interface Eviction {
  /** How many rows it has removed. If none, no row is left, or another process is removing them. */
  rows: number
  /** The bytes that all rows that are left count for. */
  bytesLeft: number
}

export interface StepResultStore {
  find(accountId: string, keys: readonly string[]): Promise<StepResult[]>
  /** Leaves out results whose key exists, also if another process adds it at the same time. Returns those that were written. */
  add(results: readonly StepResult[]): Promise<StepResult[]>
  /** Notes that they were looked up. */
  touch(accountId: string, keys: readonly string[], now: number): Promise<void>
  /** Removes the row and notes its blob for removal. */
  remove(accountId: string, key: string, now: number): Promise<void>
  /** The bytes that all results of an account count for. */
  bytesOf(accountId: string): Promise<number>
  /**
   * Removes the results that were not looked up for the longest time, until at most this number of bytes is left, and notes their blobs for
   * removal. Removes one part of them: as many rows as don't delay other requests. Returns the keys of the blobs as well.
   */
  evict(accountId: string, bytesMax: number, now: number): Promise<Eviction & { blobKeys: string[] }>

  /** Leaves a task as it is if it has a result. Returns the tasks that were written. */
  saveCheckpoints(results: readonly StepCheckpointRecord[]): Promise<Set<string>>
  findCheckpoints(accountId: string, executionIds: readonly string[]): Promise<StepCheckpointRecord[]>
  /** The bytes that all checkpoints of an account count for. */
  checkpointBytesOf(accountId: string): Promise<number>
  /** Removes one part of the oldest checkpoints of an account, until at most this number of bytes is left, and notes their blobs for removal. */
  evictCheckpoints(accountId: string, bytesMax: number, now: number): Promise<Eviction>
  /** Removes one part of the checkpoints from before this time, at most `rowsMax`, and notes their blobs for removal. Returns how many. */
  sweepCheckpoints(before: number, rowsMax: number, now: number): Promise<number>

  /** The given blob keys that a row names. */
  existing(blobKeys: readonly string[]): Promise<Set<string>>
}
