/** The typed client of the API. Its errors are values with a code, a status and issues. */
import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'
import { watchSession } from './session-ended.ts'

export const api = createClient<paths>({ baseUrl: '/v1' })

export interface Issue {
  /** Such as `nodes.title.params.size`. */
  path: string
  message: string
  /** The place in a longer text, from 1. */
  line?: number
  column?: number
}

/** An error response of the API. `status` is 0 if there was no response. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown>
  readonly issues: Issue[]
  readonly requestId: string | undefined
  /** Only for status 429 and 503. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: unknown, headers?: Headers) {
    const {
      code = 'unreachable',
      message = 'The service doesn’t respond. Check that it is running.',
      details = {},
    } = errorOf(body)
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = details
    this.issues = Array.isArray(details.issues) ? (details.issues as Issue[]) : []
    this.requestId = typeof details.requestId === 'string' ? details.requestId : undefined
    const seconds = Number(headers?.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined
  }
}

/** The issues of an error response. */
export function issuesOf(error: unknown): readonly Issue[] {
  return error instanceof ApiError ? error.issues : []
}

/** The message at each field of a form: that of the first issue whose path starts with it. `rest`: the error if no field shows it. */
export function fieldProblems<Field extends string>(error: Error | null, fields: readonly Field[]) {
  const found = fields.flatMap((field) => {
    const issue = issuesOf(error).find(({ path }) => path.startsWith(field))
    return issue === undefined ? [] : [[field, issue.message] as const]
  })
  const problems = Object.fromEntries(found) as Partial<Record<Field, string>>
  return { problems, rest: found.length === 0 ? error : null }
}

/** Whether it is an error response with this status. */
export function hasStatus(error: unknown, status: number): error is ApiError {
  return error instanceof ApiError && error.status === status
}

interface Reply<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/**
 * The body of a successful response. Throws an `ApiError` otherwise: `const page = await unwrap(api.GET('/workflows',
 * ...))`.
 */
export async function unwrap<Data>(reply: Promise<Reply<Data>>): Promise<NonNullable<Data>> {
  const { data } = await unwrapWithResponse(reply)
  return data
}

/** Like `unwrap`, and also returns the response, for its headers and status. */
export async function unwrapWithResponse<Data>(
  reply: Promise<Reply<Data>>,
): Promise<{ data: NonNullable<Data>; response: Response }> {
  const reportEnd = watchSession()
  let result: Reply<Data>
  try {
    result = await reply
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, undefined)
  }
  const { data, error, response } = result
  if (response.status === 401) reportEnd()
  if (!response.ok || data === undefined || data === null) throw new ApiError(response.status, error, response.headers)
  return { data, response }
}

function errorOf(body: unknown): { code?: string; message?: string; details?: Record<string, unknown> } {
  if (typeof body !== 'object' || body === null || !('error' in body)) return {}
  return (body.error ?? {}) as { code?: string; message?: string; details?: Record<string, unknown> }
}
