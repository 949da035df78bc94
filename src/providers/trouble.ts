/**
 * What an error of a provider means: which kind of problem it is, and what may be done. Each provider throws something
 * else; here all of it becomes one of `problemKinds`. On a paid request only what certainly was not carried out is repeated.
 */
import { HttpProblem } from '../net/provider-http.ts'
import { type ProblemFacts, type ProblemKind, ProviderProblem } from './define.ts'
import { type ApiError, apiErrorOf, codeOf, moderationCodes, quotaCodes } from './shared/api-error.ts'
import { redact } from './shared/redact.ts'
import { retryAfterMs } from './shared/retry-after.ts'

/** submit: the request that is paid for. poll, download: requests that change nothing. */
export type Phase = 'submit' | 'poll' | 'download'

export interface Trouble {
  kind: ProblemKind
  /** For the caller: without secrets. */
  message: string
  facts: ProblemFacts
  /**
   * repeat: the same request may be sent again, after `facts.retryAfterMs` where it is told. fall_back: another model may
   * be asked. fail: nothing may. unknown: it may have been carried out.
   */
  next: 'repeat' | 'fall_back' | 'fail' | 'unknown'
  /** Whether it is no answer of the provider but a mistake in its adapter, for the log. */
  isOurs?: boolean
}

export interface TroubleContext {
  phase: Phase
  /** Values that must not be in the message. */
  secrets: readonly string[]
  nowMs: number
}

/** Of what never gets better by asking another model, or must not be asked of one. */
const final: ReadonlySet<ProblemKind> = new Set(['refused', 'invalid_request', 'cancelled', 'budget', 'timeout'])

export function readTrouble(error: unknown, context: TroubleContext): Trouble {
  const { kind, message, facts, next, isOurs } = read(error, context)
  // What a provider says about a wrong key has the key in it more often than not.
  const text = kind === 'auth' ? '' : redact(message, context.secrets)
  const plain = withoutSecretsIn(facts, context.secrets)
  return { kind, message: text, facts: plain, next: next ?? nextOf(kind), ...(isOurs && { isOurs }) }
}

/** Whoever echoes a key may do so in a header, too. */
function withoutSecretsIn(facts: ProblemFacts, secrets: readonly string[]): ProblemFacts {
  const { code, requestId } = facts
  return {
    ...facts,
    ...(code !== undefined && { code: redact(code, secrets).slice(0, 100) }),
    ...(requestId !== undefined && { requestId: redact(requestId, secrets).slice(0, 200) }),
  }
}

type Read = Omit<Trouble, 'next'> & { next?: Trouble['next'] }

function read(error: unknown, context: TroubleContext): Read {
  const problem = causeOf(error, (each) => each instanceof ProviderProblem)
  if (problem) return ofProblem(problem, context.phase)
  const http = causeOf(error, (each) => each instanceof HttpProblem)
  if (http) return ofHttp(http, context.phase)
  const api = apiErrorOf(error)
  if (api?.status !== undefined) return ofStatus(api, api.status, context)
  if (isUnsent(error)) return { kind: 'down', message: 'It cannot be connected to.', facts: {}, next: 'repeat' }
  return ofName(error, context.phase)
}

function ofProblem({ kind, message, facts }: ProviderProblem, phase: Phase): Read {
  if (phase !== 'submit') return { kind, message, facts }
  if (kind === 'outcome_unknown' || kind === 'timeout') {
    return { kind: 'outcome_unknown', message, facts: { billed: 'unknown', ...facts }, next: 'unknown' }
  }
  const isForNow = kind === 'rate_limited' || (kind === 'down' && mayBeRepeated(facts.status, facts))
  return { kind, message, facts, ...(isForNow && { next: 'repeat' }) }
}

/** A provider that is down says so with 503, or when it will be back. */
function mayBeRepeated(status: number | undefined, { retryAfterMs: after, billed }: ProblemFacts): boolean {
  return (status === 503 || after !== undefined) && (billed ?? 'no') === 'no'
}

function ofHttp({ kind, isUnsent, message, status }: HttpProblem, phase: Phase): Read {
  const facts = status === undefined ? {} : { status }
  if (kind === 'refused_address') {
    // A URL that the provider gave; it has done its work.
    if (phase !== 'submit') return { kind: 'bad_output', message, facts: { ...facts, billed: 'yes' } }
    return { kind: 'down', message, facts, next: 'fall_back' }
  }
  if (phase === 'submit') {
    if (isUnsent) return { kind: 'down', message, facts, next: kind === 'broken' ? 'fall_back' : 'repeat' }
    if (kind === 'too_large') return { kind: 'bad_output', message, facts: { ...facts, billed: 'unknown' } }
    return unknown(message, facts)
  }
  // Stores of files answer 403 for what they have no more, and for a signature that has run out.
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429) {
    return { kind: 'expired', message, facts: { ...facts, billed: 'yes' } }
  }
  if (kind === 'too_large') return { kind: 'bad_output', message, facts: { ...facts, billed: 'yes' } }
  return { kind: 'down', message, facts: { ...facts, billed: 'unknown' }, next: 'repeat' }
}

function ofStatus({ message, body, code, header, requestId }: ApiError, status: number, context: TroubleContext): Read {
  const after = retryAfterMs(header, context.nowMs)
  const facts: ProblemFacts = {
    status,
    ...(code !== undefined && { code }),
    ...(requestId !== undefined && { requestId }),
    ...(after !== undefined && { retryAfterMs: after }),
  }
  const of = (kind: ProblemKind, next?: Trouble['next']): Read => ({ kind, message, facts, ...(next && { next }) })
  const isSubmit = context.phase === 'submit'
  if (moderationCodes.test(`${code ?? ''} ${body.slice(0, 4_000)}`) && status < 500) return of('refused')
  if (status === 402 || quotaCodes.test(code ?? '')) return of('quota')
  if (status === 401 || status === 403 || status === 407) return of('auth')
  if (status === 429) return of('rate_limited', 'repeat')
  if (status === 503) return of('down', 'repeat')
  if (status === 408 || status >= 500) return isSubmit ? unknown(message, facts) : of('down', 'repeat')
  if (status === 404 || status === 410) return isSubmit ? of('unsupported') : of('expired')
  if (status >= 400) return of('invalid_request')
  // Redirects are not followed: nothing was carried out.
  if (status >= 300) return of('down', 'fall_back')
  return { kind: 'bad_output', message, facts: { ...facts, billed: 'unknown' } }
}

/** By the names that libraries give their errors: an import would bring all of them into every start. */
function ofName(error: unknown, phase: Phase): Read {
  const name = error instanceof Error ? error.name : ''
  const message = error instanceof Error ? error.message : String(error)
  const billed = { billed: 'unknown' } as const
  if (/^AI_No\w+(Generated|Output)\w*Error$/.test(name)) return { kind: 'no_output', message, facts: billed }
  if (/^AI_(InvalidResponseData|JSONParse|TypeValidation)Error$/.test(name)) {
    return { kind: 'bad_output', message, facts: billed }
  }
  if (/^AI_Load(APIKey|Setting)Error$/.test(name)) return { kind: 'not_configured', message, facts: {} }
  if (
    /^AI_(UnsupportedFunctionality|InvalidArgument|InvalidPrompt|NoSuchModel|UnsupportedModelVersion)Error$/.test(name)
  ) {
    return { kind: 'unsupported', message, facts: {} }
  }
  if (/^(TimeoutError|AbortError)$/.test(name) || isOfNetwork(error)) {
    if (phase === 'submit') return unknown('The connection ended before the answer was there.', {})
    return { kind: 'down', message, facts: billed, next: 'repeat' }
  }
  // Its text is not the provider's, and may hold the request.
  if (phase === 'submit')
    return { ...unknown('It cannot be told whether the request was carried out.', {}), isOurs: true }
  return { kind: 'bad_output', message: 'Its answer could not be read.', facts: billed, isOurs: true }
}

function unknown(message: string, facts: ProblemFacts): Read {
  return { kind: 'outcome_unknown', message, facts: { billed: 'unknown', ...facts }, next: 'unknown' }
}

function nextOf(kind: ProblemKind): Trouble['next'] {
  return kind === 'outcome_unknown' ? 'unknown' : final.has(kind) ? 'fail' : 'fall_back'
}

/** Whether another model may be asked after a call that ended so. */
export function mayFallBack(kind: string): boolean {
  return kind !== 'outcome_unknown' && !(final as ReadonlySet<string>).has(kind)
}

/** Codes of Node and undici for a connection that was never made. */
const unsentCodes = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

function isUnsent(error: unknown): boolean {
  return causeOf(error, (each): each is Error => unsentCodes.test(codeOf(each) ?? '')) !== undefined
}

function isOfNetwork(error: unknown): boolean {
  return causeOf(error, (each): each is Error => /^(E[A-Z]+|UND_ERR_\w+)$/.test(codeOf(each) ?? '')) !== undefined
}

/** The error, or the first of its causes, that is so. */
function causeOf<Kind extends Error>(error: unknown, is: (error: Error) => error is Kind): Kind | undefined {
  let each = error
  for (let depth = 0; depth < 8 && each instanceof Error; depth++) {
    if (is(each)) return each
    each = each.cause
  }
  return undefined
}
