/**
 * Responses of adapters that use plain HTTP: reads untrusted responses, and turns error responses into problems by
 * their status. The status also decides whether the request was carried out.
 */
import { systemClock } from '../../../domain/clock.ts'
import { retryAfterMs } from '../../../domain/retry-after.ts'
import { HttpProblem, type ProviderResponse } from '../../../net/provider-http.ts'
import {
  type Polled,
  type ProblemFacts,
  type ProblemKind,
  type ProviderContext,
  ProviderProblem,
} from '../../define.ts'
import { redact } from './redact.ts'

export type Fields = Record<string, unknown>

/** The provider in messages, and the facts of a response for them. */
export interface ErrorReport {
  title: string
  /** Removed from messages. */
  secret?: string | undefined
  /** The error code in the body, if any. */
  code?: string | undefined
  requestId?: string | undefined
  /** The message of the provider, if `wordsOf` would not find it. */
  words?: string | undefined
}

/** Timeout for submitting a job with images. */
export const submitSeconds = 60
/** Timeout for fetching a result with images. */
export const resultSeconds = 60

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

/** Undefined unless it is a text with content. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A header with a number that isn't negative. */
export function headerNumber(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)?.trim()
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** An id that is valid in a path, and short enough to store. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^(?!\.{1,2}$)[\w.:~-]{1,200}$/.test(value) ? value : undefined
}

/** The path of a model name, which may come from the caller: each part stays one path segment. */
export function pathOf(name: string, title: string): string {
  const parts = name.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new ProviderProblem('unsupported', `${title} has no model named ${JSON.stringify(name.slice(0, 200))}.`)
  return parts.map(encodeURIComponent).join('/')
}

export function isSuccess({ status }: ProviderResponse): boolean {
  return status >= 200 && status < 300
}

/** A successful poll without JSON isn't from the provider itself. The poll is repeated, because the job was paid for. */
export function isGarbled(response: ProviderResponse): boolean {
  return isSuccess(response) && response.json() === undefined
}

/** The problem of a paid request: rejected, or with an unknown outcome. */
export function submitProblem(response: ProviderResponse, report: ErrorReport): ProviderProblem {
  const { status } = response
  if (status === 402)
    return problem('quota', response, report, 'has no credit or quota left for the API key of the service')
  if (status === 401 || status === 403)
    return problem(
      'auth',
      response,
      { ...report, words: '' },
      'rejected the API key of the service, or the key lacks a permission',
    )
  if (status === 404) return problem('unsupported', response, report, 'does not have this model')
  if (status === 429) return problem('rate_limited', response, report, 'limits the rate of requests')
  // 429 and 503 mean that nothing was carried out. Other 5xx don't, and 408 may come from a proxy.
  if (status === 503) return problem('down', response, report, 'is unavailable')
  if (status >= 500 || status === 408)
    return problem(
      'outcome_unknown',
      response,
      report,
      'failed, without reporting whether it processed the request',
      'unknown',
    )
  if (status >= 400) return problem('invalid_request', response, report, 'rejected the request')
  return problem('down', response, { ...report, words: '' }, 'returned an unexpected response: check its base URL')
}

/** A response to a paid request that can't be understood. */
export function unknownOutcome(response: ProviderResponse, report: ErrorReport): ProviderProblem {
  const plain = { ...report, words: '' }
  return problem('outcome_unknown', response, plain, 'returned an unreadable response', 'unknown')
}

/** The request was probably carried out, but the result is unusable. */
export function badOutput(
  response: ProviderResponse,
  report: ErrorReport,
  message: string,
  billed: 'yes' | 'unknown' = 'unknown',
): ProviderProblem {
  return problem('bad_output', response, { ...report, words: '' }, message, billed)
}

/**
 * Classifies error responses to a poll: `pending` if it should be repeated, after `waitMs` if given. Throws if the job
 * has ended.
 */
export function pollProblem(response: ProviderResponse, report: ErrorReport): Polled {
  const { status } = response
  const plain = { ...report, words: '' }
  if (status === 404 || status === 410)
    throw problem('expired', response, plain, 'no longer has the job or its result', 'unknown')
  if (status === 401 || status === 403)
    throw problem('auth', response, plain, 'rejected the API key of the service when it polled a job', 'unknown')
  if (status >= 500 || status === 429 || status === 408) {
    const waitMs = waitOf(response.headers)
    return { pending: waitMs === undefined ? {} : { waitMs } }
  }
  throw badOutput(response, report, 'returned an unreadable response about a job')
}

/** `said`: follows the title, without a full stop. The message of the provider follows, unless `words` is empty. */
export function problem(
  kind: ProblemKind,
  response: ProviderResponse,
  report: ErrorReport,
  text: string,
  billed: 'no' | 'yes' | 'unknown' = 'no',
): ProviderProblem {
  const { title, secret, code, requestId } = report
  const words = clean(report.words ?? wordsOf(response.json()) ?? '', secret)
  const facts: ProblemFacts = { status: response.status, billed }
  if (code !== undefined) facts.code = clean(code, secret).slice(0, 80)
  if (requestId !== undefined) facts.requestId = requestId
  // Replicate has it in the body.
  const seconds = numberOf(fieldsOf(response.json())?.retry_after)
  const wait = waitOf(response.headers) ?? (seconds !== undefined && seconds >= 0 ? seconds * 1000 : undefined)
  if (wait !== undefined) facts.retryAfterMs = wait
  const status = response.status < 300 ? '' : ` (status ${response.status})`
  return new ProviderProblem(kind, `${title} ${text}${status}${words && `: ${words}`}`, facts)
}

/** The message in the body of an error response, for the common shapes. */
export function wordsOf(body: unknown): string | undefined {
  const fields = fieldsOf(body)
  if (fields === undefined) return undefined
  for (const name of ['detail', 'message', 'error', 'errors', 'title', 'name'])
    for (const value of [fields[name]].flat()) {
      const inner = fieldsOf(value)
      const text = textOf(value) ?? textOf(inner?.msg) ?? textOf(inner?.message) ?? textOf(inner?.title)
      if (text !== undefined) return [...fieldPathOf(inner?.loc), text].join(': ')
    }
  return undefined
}

/** `["body", "image_size", "width"]`: the invalid field of the request. */
function fieldPathOf(loc: unknown): string[] {
  const parts = Array.isArray(loc) ? loc.filter((part) => part !== 'body' && typeof part !== 'object') : []
  return parts.length === 0 ? [] : [parts.join('.')]
}

/** Adds the redacted message of the provider to a sentence. */
export function clean(words: string, secret?: string): string {
  const plain = redact(words, secret === undefined ? [] : [secret])
  return plain.length > 300 ? `${plain.slice(0, 299).toWellFormed()}…` : plain
}

function waitOf(headers: Headers): number | undefined {
  return retryAfterMs((name) => headers.get(name), systemClock.now())
}

/** A timeout in whole seconds, at least one. */
export function secondsFor({ secondsLeft }: ProviderContext): number | undefined {
  const seconds = secondsLeft?.()
  return seconds === undefined ? undefined : Math.max(1, Math.ceil(seconds))
}

/** Wraps requests before the paid one: if they fail, nothing was carried out. */
export async function beforePaying<T>(title: string, message: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof HttpProblem) || error.isUnsent) throw error
    // With a time to wait, the request is retried.
    const facts = { retryAfterMs: 1000 }
    throw new ProviderProblem('down', `${title} could not receive ${message}: ${error.message}`, facts, {
      cause: error,
    })
  }
}
