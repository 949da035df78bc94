/** The removal of executions that ended some time ago, if the operator has chosen how long they are kept. */

export interface EndedInRange {
  accountId: string
  status: 'completed' | 'failed'
  /** The end of the execution: at this time or later, in milliseconds. */
  from: number
  /** Time before which they ended. */
  before: number
}

export interface ExecutionRetentionStore {
  /** The last day of an account, such as `2026-11-21`, whose executions are added up; undefined if there is none. */
  lastClosedDay(accountId: string): Promise<string | undefined>
  /**
   * Removes those of about `rowsMax` of these executions, the first that ended, that nothing else needs: no batch, and no call of an AI provider.
   * `next`: `from` of the next call; undefined after the last of these executions.
   */
  sweepEnded(executions: EndedInRange, rowsMax: number): Promise<{ removed: number; next: number | undefined }>
}
