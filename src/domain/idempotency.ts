/** The responses to POST requests with an `Idempotency-Key`: a repeated request gets the same response. */

export interface IdempotentResponse {
  status: number
  headers: Record<string, string>
  /** The JSON text of the response, so that a replay has the same bytes. */
  body: string
}

/** A request with a key, to be written in the transaction that creates its resource. */
export interface NewIdempotencyRecord {
  accountId: string
  /** The `Idempotency-Key` of the caller, unique within the account. */
  key: string
  method: string
  path: string
  /** SHA-256 of the parts that make two requests equal, in hex. */
  fingerprint: string
  createdAt: number
}

export interface IdempotencyRecord extends NewIdempotencyRecord {
  /** The id of the created resource. Null for a request that creates none. */
  resourceId: string | null
  /** Null until the response is stored. */
  response: IdempotentResponse | null
}

/**
 * Passed to the service that creates the resource: the record to write in the same transaction, or the id of the
 * resource that the same request created before.
 */
export type IdempotentCreate =
  | { record: NewIdempotencyRecord; createdId?: undefined }
  | { record?: undefined; createdId: string }

/** The store of records. The `create` of stores of other resources takes a record too, and throws `KeyTaken`. */
export interface IdempotencyStore {
  find(accountId: string, key: string): Promise<IdempotencyRecord | undefined>
  /**
   * Stores the response, and the record if none was written with a resource. False, with nothing written, if the key has a
   * response, or belongs to another request.
   */
  finish(record: NewIdempotencyRecord, response: IdempotentResponse): Promise<boolean>
  /** Removes the record, if it is from before this time. */
  remove(accountId: string, key: string, beforeMs: number): Promise<void>
}

/** Another request has used the key first. Nothing was written. */
export class IdempotencyKeyTaken extends Error {
  constructor() {
    super('the idempotency key is taken')
    this.name = 'KeyTaken'
  }
}
