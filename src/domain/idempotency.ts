/** What was answered to a POST under an `Idempotency-Key`, so that the same request again gets the same answer. */

export interface StoredResponse {
  status: number
  headers: Record<string, string>
  /** The JSON text as it was sent, so that a replay is the same bytes. */
  body: string
}

export interface IdempotencyRecord {
  accountId: string
  /** What the caller sent as `Idempotency-Key`: unique within the account. */
  key: string
  /** Method and path, e.g. `POST /v1/workflows/execute`. */
  endpoint: string
  /** SHA-256 of what makes two requests the same, in hex. */
  fingerprint: string
  state: 'running' | 'done'
  /** Null while `running`. */
  response: StoredResponse | null
  /**
   * The execution that the request asks for, where its id was chosen before anything was written: by it the same request
   * finds the one execution again after a crash.
   */
  executionId: string | null
  createdAt: number
}

export interface IdempotencyStore {
  /**
   * `new` for exactly one of any number of callers at once: the one that is to do the work. The others get its record.
   * A record made before `expiredBeforeMs` is as good as none.
   */
  begin(
    request: Pick<IdempotencyRecord, 'accountId' | 'key' | 'endpoint' | 'fingerprint' | 'createdAt'> & {
      executionId?: string
    },
    expiredBeforeMs: number,
  ): Promise<'new' | IdempotencyRecord>
  /** Keeps the answer. False when no such request is `running`. */
  finish(accountId: string, key: string, response: StoredResponse): Promise<boolean>
  /** Forgets a request that is `running`, so that its key is free again. A finished one stays. */
  abandon(accountId: string, key: string): Promise<void>
  /**
   * After a crash: forgets every request that was `running` and names no execution. Only while no other process serves.
   * Returns how many.
   */
  recover(): Promise<number>
  /** Forgets what was begun before this time. Returns how many. */
  sweep(beforeMs: number): Promise<number>
}
