import type { Execution } from './execution.ts'

/** Notices between processes. The store has the truth, and a notice only says when to read it. */
export type ExecutionNotice =
  /** An execution waits; of this account, if it is known. */
  | { kind: 'enqueued'; accountId?: string }
  /** Its steps were written. */
  | { kind: 'changed'; executionId: string }
  /** `outcome`: as recorded, so that a caller that has the rest reads nothing. Only for processes of one machine. */
  | { kind: 'ended'; executionId: string; outcome?: ExecutionOutcome | undefined }
  | { kind: 'cancelled'; executionId: string }
  /** A batch can run. */
  | { kind: 'batch' }
  /** Local only: notices may have been lost (reconnect). Waiters must read the store again. */
  | { kind: 'missed' }

/** Fields of an execution's record that changed while it ran. */
export type ExecutionOutcome = Pick<
  Execution,
  'status' | 'attempt' | 'output' | 'outputs' | 'startedAt' | 'completedAt'
>

export interface ExecutionNotices {
  send(notice: ExecutionNotice): void
  /** Returns a function that stops listening. */
  listen(listener: (notice: ExecutionNotice) => void): () => void
}
