/** What was answered to a POST under an `Idempotency-Key`, so that the same request again gets the same answer. */

export interface IdempotentResponse {
  status: number
  headers: Record<string, string>
  /** The JSON text as it was sent, so that a replay is the same bytes. */
  body: string
}

export interface IdempotencyRecord {
  accountId: string
  /** What the caller sent as `Idempotency-Key`: unique within the account. */
  key: string
  method: string
  path: string
  /** SHA-256 of what makes two requests the same, in hex. */
  fingerprint: string
  state: 'running' | 'done'
  /** Null while `running`. */
  response: IdempotentResponse | null
  /**
   * The execution that the request asks for, its id chosen before either is written: a request that comes again after a
   * crash finds the one execution by it. Null for requests that execute nothing.
   */
  executionId: string | null
  createdAt: number
}

export interface IdempotencyStore {
  /** `new` for exactly one of any number of callers at once: the one that is to do the work. Others get its record. */
  begin(record: Omit<IdempotencyRecord, 'state' | 'response'>): Promise<'new' | IdempotencyRecord>
  /** Keeps the answer. False when no such request is `running`. */
  finish(accountId: string, key: string, response: IdempotentResponse): Promise<boolean>
  /**
   * Forgets a request that is `running`, so that its key is free again; with `begunAt`, only the one that was begun then.
   * A finished one stays.
   */
  abandon(accountId: string, key: string, begunAt?: number): Promise<void>
  /** Forgets what was begun before this time. Returns how many. */
  sweep(beforeMs: number): Promise<number>
}
