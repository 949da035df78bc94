/** All error codes and failure reasons that callers can see. */

/** The six codes of the specification, and the codes that Tintype adds. */
export const errors = {
  forbidden: {
    status: 403,
    title: 'The key or the plan does not allow the request',
    meaning:
      'The API key is valid but lacks the permission in `details.permission`, the key is a test key and the request needs a live one, the account is on the Free plan, is suspended or has reached the quota in `details.quota`, or a page of another origin sent the request with the session of the console.',
    fix: 'Use a key with that permission, or move the account to a plan with API access. If the account is suspended, contact the operator. If a quota is reached, follow the message.',
  },
  execution_required: {
    status: 409,
    title: 'Only an execution can do this',
    meaning:
      'The preview of a draft needs a step that calls an AI model and has no cached result, or it takes too long. `details.nodes` are these steps.',
    fix: 'Execute the draft with `variations`, then request the preview again with the same `variations`.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'An unexpected error of the service. The log has the cause under `details.requestId`.',
    fix: 'Retry. If the error persists, send `details.requestId` to the operator.',
  },
  invalid_request: {
    status: 400,
    title: 'The request is invalid',
    meaning: 'The body, a field, a query parameter or an upload is invalid. `details.issues` lists all issues.',
    fix: 'Correct the value at the `path` of each issue.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not support this method',
    meaning:
      'The path exists, but does not support this method. `details.allow` and the header `Allow` list the supported methods.',
    fix: 'Use one of the methods in `Allow`.',
  },
  not_found: {
    status: 404,
    title: 'No such resource',
    meaning: 'The id or the path is unknown, was deleted, or belongs to another account.',
    fix: 'List the resources to see the ids that this key can read.',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource is not in the state that the request requires',
    meaning:
      "Another request changed the resource in the meantime: its ETag doesn't match `If-Match`, or it is newer than `If-Unmodified-Since`.",
    fix: 'Get the newest state and its `ETag`, apply the change to it, and retry.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning:
      'A limit was reached: requests per minute, waiting executions or open event streams of the account, or sign-ins or requests with a wrong key from this address. `details.limit` is the limit.',
    fix: 'Wait `Retry-After` seconds, then retry.',
  },
  unauthorized: {
    status: 401,
    title: 'No valid API key',
    meaning:
      'The `Authorization` header is missing or malformed, the API key is unknown, expired or revoked, or the session of the console has ended.',
    fix: 'Send `Authorization: Bearer <API_KEY>` with a valid key. In the console, sign in again.',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    meaning:
      'The service is shutting down, has reached its limit of waiting executions or running comparisons, has nearly no space left on its disk, or cannot reach its database or image storage. Also returned if no executor starts within 20 seconds, and if a thumbnail is not ready in time.',
    fix: 'Wait `Retry-After` seconds, then retry.',
  },
  workflow_failed: {
    status: 500,
    title: 'The execution failed',
    meaning: '`details.reason` is the reason. `details.node` and `details.operation` are the failed step.',
    fix: 'See the reasons below.',
  },
} as const

export type ErrorCode = keyof typeof errors

/** All values of `details.reason` in `workflow_failed`. */
export const failureReasons = {
  account_suspended: 'The account was suspended, or its plan has no API access.',
  cancelled: 'The execution was cancelled.',
  input_invalid: 'A parameter or an image could not be used: wrong type, out of range, damaged or rejected.',
  input_not_found: 'A required image does not exist or was deleted.',
  internal: 'An unexpected error of the service. The log has the cause.',
  limit_exceeded: 'An image, a template or a download exceeded a limit.',
  provider_not_configured:
    'A node requires an AI provider without a configured key, or a local model that is not installed.',
  provider_rate_limited: 'The AI provider limited the rate of requests.',
  provider_refused: 'The AI provider rejected the content.',
  provider_unavailable:
    'An external host (an AI provider or the server of a source image) failed or returned an invalid response.',
  timeout:
    'The execution exceeded its time limit, or the machine was too busy for one of its steps. The message says which of them.',
  worker_lost: 'The process that ran the execution died in each of its attempts.',
} as const

export type FailureReason = keyof typeof failureReasons

/** The response of a model doesn't match the schema of the request. The message is the difference. */
export class ResponseMismatch extends Error {}

/** One issue of a request or a document. */
export interface Issue {
  /** Dotted path from the root of the request body, such as `nodes.cover.params.width`. */
  path: string
  /**
   * The problem and the expected value. Continues a sentence that starts with the path: "must be at most 250, not 9999".
   * Without a path, the subject is the request.
   */
  message: string
  /** The line of an uploaded file, or the place in a longer text, such as a style sheet. From 1. */
  line?: number
  column?: number
  /** The most likely correction of the value at `path`. The author can have meant something else. */
  fix?: Fix
}

/** One of these: another name of the field, another value, or to remove the field. */
export interface Fix {
  rename?: string
  value?: unknown
  remove?: true
}

export type FaultDetails = Record<string, unknown> & { issues?: Issue[]; reason?: FailureReason }

/** The only error class whose message is sent to callers. `cause` is only logged. */
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

/** A process got too little CPU time, twice. An execution fails with the reason. */
export class MachineBusy extends Fault {
  constructor(message: string) {
    super('unavailable', message, { reason: 'timeout' })
  }
}

/** A 404 for a resource of an account. */
export function notFound(noun: string, id: string): Fault {
  const name = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${JSON.stringify(id.slice(0, idCharsShown))}`
  return new Fault('not_found', `${name} was not found. It may have been deleted, or belong to another account.`)
}

/** Handler for `catch` that returns undefined for what is not found. */
export function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof Fault) || error.code !== 'not_found') throw error
}

const idCharsShown = 100

/** A 400 with all issues. The message contains the first one. */
export function invalidRequest(issues: Issue[], details: FaultDetails = {}): Fault {
  const summary = summaryOf(issues, 'The request') ?? 'The request is invalid.'
  return new Fault('invalid_request', summary, { issues, ...details })
}

/** An `invalid_request` without fields: a command, or an archive, that can't be used. */
export function refusal(message: string, options?: { cause?: unknown }): Fault {
  return new Fault('invalid_request', message, {}, options)
}

/** A 412 for an `If-Match` that is outdated. `message` continues "If-Match is outdated: ". */
export function outdatedIfMatch(message: string): Fault {
  return new Fault('precondition_failed', `If-Match is outdated: ${message}`)
}

/** The first issue as a sentence, and the number of further ones. `whole`: the subject of an issue without a path. */
function summaryOf([first, ...rest]: Issue[], subject: string): string | undefined {
  if (first === undefined) return undefined
  const more = rest.length > 0 ? ` (${rest.length} more ${rest.length === 1 ? 'issue' : 'issues'})` : ''
  return `${issueSentence(first, subject)}${more}`
}

/** `"nodes.cover.params.width" must be at most 250, not 9999.` */
export function issueSentence({ path, message }: Issue, subject = 'The document'): string {
  const text = `${message}${/[.?!]$/.test(message) ? '' : '.'}`
  // A message about a file is a whole sentence: "file": The image is corrupt.
  if (/^\p{Lu}/u.test(message)) return path === '' ? text : `${JSON.stringify(path)}: ${text}`
  return `${path === '' ? subject : JSON.stringify(path)} ${text}`
}

/** The failure of a stored document or value that became invalid. `lead`: the start of the message, followed by the first issue. */
export function notValidNow(lead: string, issues: Issue[], overLimit = false): Fault {
  const found = `${lead}: ${summaryOf(issues, 'The document') ?? 'The cause is unknown.'}`
  if (!overLimit) return failure('input_invalid', found, { issues })
  return failure('limit_exceeded', `${found} Make the workflow smaller, and save it again.`, { issues })
}

/** The error of a failed step. The engine adds execution, node and operation. */
export function failure(
  reason: FailureReason,
  message: string,
  options?: { cause?: unknown; issues?: Issue[] },
): Fault {
  const details: FaultDetails = options?.issues ? { reason, issues: options.issues } : { reason }
  return new Fault('workflow_failed', message, details, options)
}

/** The database or the storage can't be reached right now: the same request succeeds later. */
export class DependencyUnavailable extends Error {
  constructor(cause: unknown) {
    const { message = '', code = '' } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {}
    super(message || code, { cause })
    this.name = 'DependencyUnavailable'
  }
}

/** Converts any thrown value: a Fault stays, a lost dependency becomes `unavailable`, everything else `internal_error`. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  if (error instanceof DependencyUnavailable)
    return new Fault(
      'unavailable',
      'The database or the image storage is temporarily unavailable. Retry after the seconds in `Retry-After`.',
      {},
      { cause: error },
    )
  if (isOutOfRoom(error))
    return new Fault(
      'unavailable',
      'The storage of the service is full. Contact the operator, or retry later.',
      {},
      { cause: error },
    )
  return new Fault(
    'internal_error',
    'Internal error. Retry, or send `details.requestId` to the operator.',
    {},
    { cause: error },
  )
}

/** A full disk or an exceeded quota, as reported by the file system or by SQLite (13: SQLITE_FULL). */
function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', errcode, cause } = error as NodeJS.ErrnoException & { errcode?: number }
  return code === 'ENOSPC' || code === 'EDQUOT' || errcode === 13 || isOutOfRoom(cause)
}
