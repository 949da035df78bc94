/** What was answered to a POST under an `Idempotency-Key`, so that the same request again gets the same answer. */

export interface IdempotentResponse {
  status: number
  headers: Record<string, string>
  /** The JSON text as it was sent, so that a replay is the same bytes. */
  body: string
}

/** A request under a key, as it is written with what it makes. */
export interface NewIdempotencyRecord {
  accountId: string
  /** What the caller sent as `Idempotency-Key`: unique within the account. */
  key: string
  method: string
  path: string
  /** SHA-256 of what makes two requests the same, in hex. */
  fingerprint: string
  createdAt: number
}

export interface IdempotencyRecord extends NewIdempotencyRecord {
  /** What the request made: an execution, an image ... Null for a request that makes nothing. */
  resourceId: string | null
  /** Null while what it made is not answered yet. */
  response: IdempotentResponse | null
}

/**
 * A request under a key, to whoever makes something for it: either the record that is to be written in the same
 * transaction, or the id of what the same request has made before, which is to be answered with again.
 */
export type Once = { record: NewIdempotencyRecord; madeId?: undefined } | { record?: undefined; madeId: string }

/** The `create` of every store that makes what a POST asks for takes such a record too, and throws `KeyTaken`. */
export interface IdempotencyStore {
  find(accountId: string, key: string): Promise<IdempotencyRecord | undefined>
  /**
   * Keeps the answer, and the record where none was written with a resource. False, and nothing is written, when the
   * key has an answer already or is another request's.
   */
  finish(record: NewIdempotencyRecord, response: IdempotentResponse): Promise<boolean>
  /** Forgets at most so many of those begun before this time. Returns how many. */
  sweep(beforeMs: number, recordsMax: number): Promise<number>
}

/** Another request has taken the key first. Nothing was written. */
export class KeyTaken extends Error {
  constructor() {
    super('the idempotency key is taken')
    this.name = 'KeyTaken'
  }
}
