/** The errors that the client throws. An abort throws the reason of the signal, as `fetch` does. */
import type { Schemas } from './types.ts'

/** Every error of this package. */
export class TintypeError extends Error {
  override readonly name: string = 'TintypeError'
}

/** No complete response: the connection was refused or cut. The request may have been processed. */
export class ConnectionError extends TintypeError {
  override readonly name: string = 'ConnectionError'
}

/** No complete response within `timeout`. The request may have been processed. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError'
}

/** A webhook that isn't signed with the secret, or is too old. */
export class WebhookError extends TintypeError {
  override readonly name: string = 'WebhookError'
}

type ErrorDetails = Partial<Schemas['ErrorDetails']> & Record<string, unknown>

export interface ErrorFields {
  code: string
  message: string
  details: ErrorDetails
  status: number
  /** Seconds. */
  retryAfter?: number | undefined
}

/** An error response of the API. Branch on `code` and `details.reason`, not on `message`. */
export class ApiError extends TintypeError {
  override readonly name: string = 'ApiError'
  /** Such as `invalid_request`. `unexpected_response` if the response isn't one of Tintype, but of a proxy for example. */
  readonly code: string
  readonly details: ErrorDetails
  /** HTTP status. */
  readonly status: number
  readonly requestId: string | undefined
  /** Seconds after which to send the request again; undefined if the response doesn't say it. */
  readonly retryAfter: number | undefined

  constructor({ code, message, details, status, retryAfter }: ErrorFields) {
    super(message)
    this.code = code
    this.details = details
    this.status = status
    this.requestId = typeof details.requestId === 'string' ? details.requestId : undefined
    this.retryAfter = retryAfter
  }

  /** Each problem of an invalid request, with its path. */
  get issues(): readonly Schemas['Issue'][] {
    return Array.isArray(this.details.issues) ? this.details.issues : []
  }
}

/** 400 `invalid_request`: `issues` has each problem. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError'
}

/** 401 `unauthorized`: the key is missing, wrong, revoked or expired. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError'
}

/** 403 `forbidden`: a permission (`details.permission`), the plan or a quota (`details.quota`). */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError'
}

/** 404 `not_found`. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 412 `precondition_failed`: the record has changed since its ETag was read. */
export class PreconditionFailedError extends ApiError {
  override readonly name = 'PreconditionFailedError'
}

/** 429 `rate_limited`: send the request again after `retryAfter` seconds. */
export class RateLimitedError extends ApiError {
  override readonly name = 'RateLimitedError'
}

/** 500 `workflow_failed`: the execution failed. */
export class WorkflowFailedError extends ApiError {
  override readonly name = 'WorkflowFailedError'

  /** The failed execution. */
  get executionId(): string | undefined {
    return this.details.executionId
  }

  /** Why it failed, such as `input_not_found`. */
  get reason(): string | undefined {
    return this.details.reason
  }

  /** The node that failed. */
  get node(): string | undefined {
    return this.details.node
  }
}

/** 5xx: `internal_error`, `unavailable`, or an error of a proxy. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError'
}

const byCode: Record<string, new (fields: ErrorFields) => ApiError> = {
  invalid_request: InvalidRequestError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  precondition_failed: PreconditionFailedError,
  rate_limited: RateLimitedError,
  workflow_failed: WorkflowFailedError,
}

const byStatus: Record<number, new (fields: ErrorFields) => ApiError> = {
  400: InvalidRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  412: PreconditionFailedError,
  429: RateLimitedError,
}

/** The error of its code. A code that this version doesn't know has the class of its status. */
export function apiError(fields: ErrorFields): ApiError {
  const known = Object.hasOwn(byCode, fields.code) ? byCode[fields.code] : undefined
  const ErrorOfCode = known ?? byStatus[fields.status] ?? (fields.status >= 500 ? ServerError : ApiError)
  return new ErrorOfCode(fields)
}
