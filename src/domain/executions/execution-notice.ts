/** Notices between processes. The store has the truth, and a notice only says when to read it. */
export type ExecutionNotice =
  /** An execution waits; of this account, if it is known. */
  | { kind: 'enqueued'; accountId?: string }
  /** Its steps were written. */
  | { kind: 'changed'; executionId: string }
  | { kind: 'ended'; executionId: string }
  | { kind: 'cancelled'; executionId: string }
  /** A batch can run. */
  | { kind: 'batch' }
  /** Local only: notices may have been lost (reconnect). Waiters must read the store again. */
  | { kind: 'missed' }

export interface ExecutionNotices {
  send(notice: ExecutionNotice): void
  /** Returns a function that stops listening. */
  listen(listener: (notice: ExecutionNotice) => void): () => void
}
