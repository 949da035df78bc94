/**
 * What the adapters of plain HTTP share: reading answers that nobody vouches for, and telling by their status what went
 * wrong, and whether anything was carried out.
 */
import { systemClock } from '../../domain/clock.ts'
import { HttpProblem, type ProviderResponse } from '../../net/provider-http.ts'
import { type Polled, type ProblemFacts, type ProblemKind, type ProviderContext, ProviderProblem } from '../define.ts'
import { redact } from './redact.ts'
import { retryAfterMs } from './retry-after.ts'

export type Fields = Record<string, unknown>

/** Who answers, as its messages name it, and what must not be told of its words. */
export interface Teller {
  title: string
  /** The key. */
  secret?: string | undefined
  /** Its own word for what went wrong, where its body has one. */
  code?: string | undefined
  requestId?: string | undefined
  /** What it says, where `wordsOf` would not find it. */
  words?: string | undefined
}

/** For sending a job, pictures in it: seconds. */
export const submitSeconds = 60
/** For fetching what a job came to, pictures in it: seconds. */
export const resultSeconds = 60

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

/** What is no text, or an empty one, is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A header that holds a number which is not negative. */
export function headerNumber(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)?.trim()
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** Of an id: what can be a part of a path and of a row, and is not endless. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^(?!\.{1,2}$)[\w.:~-]{1,200}$/.test(value) ? value : undefined
}

/** The path of a model that a caller may have named: every part of it stays one. */
export function pathOf(name: string, title: string): string {
  const parts = name.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new ProviderProblem('unsupported', `${title} has no model ${JSON.stringify(name.slice(0, 200))}.`)
  return parts.map(encodeURIComponent).join('/')
}

export function isSuccess({ status }: ProviderResponse): boolean {
  return status >= 200 && status < 300
}

/** An answer to a question about a job that is no JSON: not the provider's own. What was paid for is asked after again. */
export function isGarbled(response: ProviderResponse): boolean {
  return isSuccess(response) && response.json() === undefined
}

/** Why a request that asks for something paid was not accepted, or may have been. */
export function submitProblem(response: ProviderResponse, teller: Teller): ProviderProblem {
  const { status } = response
  if (status === 402) return problem('quota', response, teller, 'has no credit left for this account')
  if (status === 401 || status === 403)
    return problem('auth', response, { ...teller, words: '' }, 'did not take the key, or does not allow this to it')
  if (status === 404) return problem('unsupported', response, teller, 'does not have this model')
  if (status === 429) return problem('rate_limited', response, teller, 'has too many requests of this account')
  // Those two say that it was not begun; whatever else begins with 5 does not, and 408 may come from in between.
  if (status === 503) return problem('down', response, teller, 'cannot take requests right now')
  if (status >= 500 || status === 408)
    return problem('outcome_unknown', response, teller, 'failed, and does not say whether it had begun', 'unknown')
  if (status >= 400) return problem('invalid_request', response, teller, 'does not take the request')
  return problem('down', response, { ...teller, words: '' }, 'answers as no such API does: look at its base URL')
}

/** An answer to a paid request that says neither yes nor no. */
export function unknownOutcome(response: ProviderResponse, teller: Teller): ProviderProblem {
  const plain = { ...teller, words: '' }
  return problem('outcome_unknown', response, plain, 'answered what cannot be understood', 'unknown')
}

/** It was carried out as far as can be told, and cannot be used. */
export function badOutput(
  response: ProviderResponse,
  teller: Teller,
  what: string,
  billed: 'yes' | 'unknown' = 'unknown',
): ProviderProblem {
  return problem('bad_output', response, { ...teller, words: '' }, what, billed)
}

/** What a poll that failed says: undefined where it is to be asked again, after `waitMs` if it says so. */
export function pollTrouble(response: ProviderResponse, teller: Teller): Polled {
  const { status } = response
  const plain = { ...teller, words: '' }
  if (status === 404 || status === 410) throw problem('expired', response, plain, 'has the job no more', 'unknown')
  if (status === 401 || status === 403)
    throw problem('auth', response, plain, 'did not take the key when asked about a job', 'unknown')
  if (status >= 500 || status === 429 || status === 408) {
    const waitMs = waitOf(response.headers)
    return { pending: waitMs === undefined ? {} : { waitMs } }
  }
  throw badOutput(response, teller, 'answered what cannot be understood when asked about a job')
}

/** `said`: after the title, without a full stop. What the provider itself says follows, unless `words` is empty. */
export function problem(
  kind: ProblemKind,
  response: ProviderResponse,
  teller: Teller,
  said: string,
  billed: 'no' | 'yes' | 'unknown' = 'no',
): ProviderProblem {
  const { title, secret, code, requestId } = teller
  const words = clean(teller.words ?? wordsOf(response.json()) ?? '', secret)
  const facts: ProblemFacts = { status: response.status, billed }
  if (code !== undefined) facts.code = clean(code, secret).slice(0, 80)
  if (requestId !== undefined) facts.requestId = requestId
  // Replicate tells it in the body.
  const seconds = numberOf(fieldsOf(response.json())?.retry_after)
  const wait = waitOf(response.headers) ?? (seconds !== undefined && seconds >= 0 ? seconds * 1000 : undefined)
  if (wait !== undefined) facts.retryAfterMs = wait
  const status = response.status < 300 ? '' : ` (status ${response.status})`
  return new ProviderProblem(kind, `${title} ${said}${status}${words && `: ${words}`}`, facts)
}

/** What a provider says in the body of an error, by the shapes that are usual. */
export function wordsOf(body: unknown): string | undefined {
  const fields = fieldsOf(body)
  if (fields === undefined) return undefined
  for (const name of ['detail', 'message', 'error', 'errors', 'title', 'name'])
    for (const value of [fields[name]].flat()) {
      const inner = fieldsOf(value)
      const text = textOf(value) ?? textOf(inner?.msg) ?? textOf(inner?.message) ?? textOf(inner?.title)
      if (text !== undefined) return [...placeOf(inner?.loc), text].join(': ')
    }
  return undefined
}

/** `["body", "image_size", "width"]`: where in the request something is wrong. */
function placeOf(loc: unknown): string[] {
  const parts = Array.isArray(loc) ? loc.filter((part) => part !== 'body' && typeof part !== 'object') : []
  return parts.length === 0 ? [] : [parts.join('.')]
}

/** Words of a provider as they may be shown, behind what is said about them. */
export function clean(words: string, secret?: string): string {
  const plain = redact(words, secret === undefined ? [] : [secret])
  return plain.length > 300 ? `${plain.slice(0, 299).toWellFormed()}…` : plain
}

function waitOf(headers: Headers): number | undefined {
  return retryAfterMs((name) => headers.get(name), systemClock.now())
}

/** Whole seconds that a provider may take, at least one. */
export function secondsFor({ secondsLeft }: ProviderContext): number | undefined {
  const seconds = secondsLeft?.()
  return seconds === undefined ? undefined : Math.max(1, Math.ceil(seconds))
}

/** What comes before the paid request: that it failed proves that nothing was carried out. */
export async function beforePaying<T>(title: string, what: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof HttpProblem) || error.isUnsent) throw error
    // A second is what makes it be tried again.
    const facts = { retryAfterMs: 1000 }
    throw new ProviderProblem('down', `${title} could not be handed ${what}: ${error.message}`, facts, { cause: error })
  }
}
