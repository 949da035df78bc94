/** What steps have made, for executions after them: by key for all of an account, by task for one that resumes another. */

export interface StepResult {
  accountId: string
  /** A hash of all that it is made of. */
  key: string
  /** Undefined where it has no bytes of its own. */
  blobKey: string | null
  /** Bytes that it is counted with. */
  size: number
  /** JSON: whatever whoever stores it wants to know again. */
  facts: string
  createdAt: number
  /** When it was asked for last. */
  usedAt: number
}

/** Kept of an execution that failed. */
export interface KeptStepResult extends Omit<StepResult, 'key' | 'usedAt'> {
  executionId: string
  /** A hash of what was to be done. */
  task: string
  /** The key of the result, where it has one. */
  key: string | null
}

export interface StepResultStore {
  find(accountId: string, keys: readonly string[]): Promise<StepResult[]>
  /** Leaves out those whose key is taken, also by another process at the same time. Gives the keys that were written. */
  add(results: readonly StepResult[]): Promise<Set<string>>
  /** Notes that they were asked for. */
  touch(accountId: string, keys: readonly string[], now: number): Promise<void>
  /** Takes the row away and notes its blob for removal. */
  remove(accountId: string, key: string, now: number): Promise<void>
  /** What all of an account are counted with. */
  bytesOf(accountId: string): Promise<number>
  /**
   * Takes away what was not asked for the longest, until no more than so many bytes are left, and notes the blobs for
   * removal. Gives their keys.
   */
  evict(accountId: string, bytesMax: number, now: number): Promise<string[]>

  /** A task that was kept already stays as it is. Gives those that were written, as execution and task. */
  keep(results: readonly KeptStepResult[]): Promise<Set<string>>
  kept(accountId: string, executionIds: readonly string[]): Promise<KeptStepResult[]>
  /** What all that was kept of an account is counted with. */
  keptBytesOf(accountId: string): Promise<number>
  /** Takes away what was kept of an account first, until no more than so many bytes are left; notes the blobs for removal. */
  evictKept(accountId: string, bytesMax: number, now: number): Promise<void>
  /** Takes away what was kept before this time, at most so many, and notes the blobs for removal. Gives how many. */
  sweepKept(before: number, rowsMax: number, now: number): Promise<number>

  /** Which of these blobs have a row. */
  existing(blobKeys: readonly string[]): Promise<Set<string>>
}
