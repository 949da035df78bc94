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

/** A result of an execution that failed. */
export interface KeptStepResult extends Omit<StepResult, 'key' | 'usedAt'> {
  executionId: string
  /** A hash of the operation, its params and inputs. */
  task: string
  /** The key of the result; null if it has none. */
  key: string | null
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
   * removal. Returns the keys of the blobs.
   */
  evict(accountId: string, bytesMax: number, now: number): Promise<string[]>

  /** Leaves a task as it is if it has a result. Returns the tasks that were written. */
  keep(results: readonly KeptStepResult[]): Promise<Set<string>>
  kept(accountId: string, executionIds: readonly string[]): Promise<KeptStepResult[]>
  /** The bytes that all kept results of an account count for. */
  keptBytesOf(accountId: string): Promise<number>
  /** Removes the oldest kept results of an account until at most this number of bytes is left, and notes their blobs for removal. */
  evictKept(accountId: string, bytesMax: number, now: number): Promise<void>
  /** Removes kept results from before this time, at most `rowsMax`, and notes their blobs for removal. Returns how many. */
  sweepKept(before: number, rowsMax: number, now: number): Promise<number>

  /** The given blob keys that a row names. */
  existing(blobKeys: readonly string[]): Promise<Set<string>>
}
