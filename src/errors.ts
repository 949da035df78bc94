/** Every error that a caller can see, once. Nothing else may invent a code or a reason. */

/** The codes: the six of the specification, and those that it has no word for. */
export const errors = {
  forbidden: {
    status: 403,
    title: 'The key or the plan does not allow this',
    meaning:
      'The API key is valid but lacks the permission in `details.permission`, or the account is on the Free plan; or a browser was made to send its session by a page of another origin.',
    fix: 'Use a key with that permission, or move the account to a plan with API access.',
  },
  internal_error: {
    status: 500,
    title: 'A fault of the service',
    meaning: 'Something failed that no caller can mend. Only the request id is told; the cause is in the log.',
    fix: 'Try again; if it stays, hand `details.requestId` to whoever runs the service.',
  },
  invalid_request: {
    status: 400,
    title: 'The request is not well formed',
    meaning:
      'The body, a field, a query parameter or an upload is wrong. `details.issues` lists every problem at once.',
    fix: 'Correct what each issue names by its `path`.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not support this method',
    meaning: 'The path exists, but not with this method. `details.allow` and the header `Allow` list its methods.',
    fix: 'Use one of the methods in `Allow`.',
  },
  not_found: {
    status: 404,
    title: 'No such resource',
    meaning: 'The id or the path is unknown, was deleted, or belongs to another account.',
    fix: 'List the resources to see which ids this key can read.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning:
      "The account's requests of this minute are used up, or it has as many executions waiting or streams of events open as it may; or too many sign-ins or requests with a wrong key came from this address. `details.limit` is the limit.",
    fix: 'Wait `Retry-After` seconds, then go on.',
  },
  unauthorized: {
    status: 401,
    title: 'No valid API key',
    meaning:
      'The `Authorization` header is missing, malformed, or names a key that is unknown, expired or revoked; or the session of the console has ended.',
    fix: 'Send `Authorization: Bearer <API_KEY>` with a live key; in the console, sign in again.',
  },
  unavailable: {
    status: 503,
    title: 'Not able to take work right now',
    meaning:
      'The service is shutting down, has as many executions waiting or comparisons running as it takes, or cannot reach its records or images; or the process that decodes images ended or is starting.',
    fix: 'Wait `Retry-After` seconds, then try again.',
  },
  workflow_failed: {
    status: 500,
    title: 'The execution failed',
    meaning: '`details.reason` says why, `details.node` and `details.operation` say where.',
    fix: 'See the reason below.',
  },
} as const

export type ErrorCode = keyof typeof errors

/** Why an execution failed: the closed list behind `details.reason` of `workflow_failed`. */
export const failureReasons = {
  cancelled: 'Someone cancelled it.',
  input_invalid:
    'A parameter or an image was there but could not be used: wrong type, out of bounds, damaged, or refused.',
  input_not_found: 'An image that it needs does not exist, or was deleted.',
  internal: 'A fault of the service; the cause is in the log.',
  limit_exceeded: 'A picture, a template or a download was larger than the limits allow.',
  provider_not_configured: 'A node needs an AI provider whose key is not set, or a local model that is not installed.',
  provider_rate_limited: 'The AI provider refused for now.',
  provider_refused: 'The AI provider declined the content.',
  provider_unavailable: 'An outside host (an AI provider, the server of a source image) did not answer as it should.',
  timeout: 'It ran past its deadline.',
  worker_lost: 'The process that ran it died, more often than it is tried again.',
} as const

export type FailureReason = keyof typeof failureReasons

/** One problem of a request or a document: where it is, what it is, and what would be right. */
export interface Issue {
  /** Dotted path from the root of what was sent, e.g. `nodes.cover.params.width`. */
  path: string
  message: string
}

export type FaultDetails = Record<string, unknown> & { issues?: Issue[]; reason?: FailureReason }

/** The one error whose text reaches callers. The `cause` goes to the log only. */
export class Fault extends Error {
  readonly code: ErrorCode
  readonly details: FaultDetails

  constructor(code: ErrorCode, message: string, details: FaultDetails = {}, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'Fault'
    this.code = code
    this.details = details
  }
}

export function notFound(noun: string): Fault {
  return new Fault('not_found', `No ${noun} has this id.`)
}

/** A 400 with every problem at once; the message names the first. */
export function invalidRequest(issues: Issue[]): Fault {
  return new Fault('invalid_request', summaryOf(issues) ?? 'The request is not valid.', { issues })
}

/** The first of them and how many more there are; undefined where there are none. */
function summaryOf([first, ...rest]: Issue[]): string | undefined {
  if (first === undefined) return undefined
  const more = rest.length > 0 ? ` (and ${rest.length} more)` : ''
  return `${first.path === '' ? '' : `${first.path}: `}${first.message}${more}`
}

/** What was accepted and cannot be used any more; `lead`: a sentence without its end, to which the first problem is added. */
export function notValidNow(lead: string, issues: Issue[], overLimit = false): Fault {
  const found = `${lead}: ${summaryOf(issues) ?? 'it cannot be told why'}`
  if (!overLimit) return failure('input_invalid', found, { issues })
  return failure('limit_exceeded', `${found}. Make it smaller, and save it again`, { issues })
}

/** A step that cannot go on; the engine adds the execution, the node and the operation. */
export function failure(
  reason: FailureReason,
  message: string,
  options?: { cause?: unknown; issues?: Issue[] },
): Fault {
  const details: FaultDetails = options?.issues ? { reason, issues: options.issues } : { reason }
  return new Fault('workflow_failed', message, details, options)
}

/** Records or images cannot be reached right now, by nobody's mistake: whoever tries again in a while gets an answer. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    const { message = '', code = '' } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {}
    super(message || code, { cause })
    this.name = 'Unreachable'
  }
}

/** What a caller may know of any thrown value: faults as they are, everything else as a fault of the service. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  if (error instanceof Unreachable)
    return new Fault(
      'unavailable',
      'Records or images cannot be reached right now; try again in a while.',
      {},
      { cause: error },
    )
  if (isOutOfRoom(error))
    return new Fault('unavailable', 'There is no room left to store this; try again later.', {}, { cause: error })
  return new Fault('internal_error', 'The service failed while it handled this request.', {}, { cause: error })
}

/** A full disk, or a spent quota: as the file system tells it, and as SQLite does (SQLITE_FULL). */
function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', errcode, cause } = error as NodeJS.ErrnoException & { errcode?: number }
  return code === 'ENOSPC' || code === 'EDQUOT' || errcode === 13 || isOutOfRoom(cause)
}
