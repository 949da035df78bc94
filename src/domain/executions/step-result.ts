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

/** `imageIds`: the stored images that were read before the result was made. It is removed with any of them. */
export type NewStepResult = StepResult & { imageIds?: readonly string[] }

/** A step result of an execution that failed, for one that resumes it. */
export interface StepCheckpointRecord extends Omit<StepResult, 'key' | 'usedAt'> {
  executionId: string
  /** A hash of the operation, its params and inputs. */
  task: string
  /** The key of the result; null if it has none. */
  key: string | null
}

export interface StepResultStore {
  find(accountId: string, keys: readonly string[]): Promise<StepResult[]>
  /**
   * Leaves out results whose key exists, also if another process adds it at the same time, and those of deleted images. Returns those that were
   * written.
   */
  add(results: readonly NewStepResult[]): Promise<NewStepResult[]>
  /** Notes that they were looked up. */
  touch(accountId: string, keys: readonly string[], now: number): Promise<void>
  /** Removes the row and notes its blob for removal. */
  remove(accountId: string, key: string, now: number): Promise<void>
  /** Leaves a task as it is if it has a result. Returns the tasks that were written. */
  saveCheckpoints(results: readonly StepCheckpointRecord[]): Promise<Set<string>>
  findCheckpoints(accountId: string, executionIds: readonly string[]): Promise<StepCheckpointRecord[]>
  /** The given blob keys that a row names. */
  existing(blobKeys: readonly string[]): Promise<Set<string>>
}
