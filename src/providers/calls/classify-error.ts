/**
 * Classifies errors of providers and their client libraries: one of `problemKinds`, and whether to retry. A paid request is retried
 * only if it was certainly not carried out.
 */

import { retryAfterMs } from '../../domain/retry-after.ts'
import { HttpProblem } from '../../net/provider-http.ts'
import { type ApiError, apiErrorOf, codeOf, moderationCodes, quotaCodes } from '../adapters/shared/api-error.ts'
import { redact } from '../adapters/shared/redact.ts'
import { type ProblemFacts, type ProblemKind, ProviderProblem } from '../define.ts'

/** submit: the paid request. poll, download: free requests that change nothing. */
export type Phase = 'submit' | 'poll' | 'download'

export interface ClassifiedError {
  kind: ProblemKind
  /** Message for the caller: without secrets. */
  message: string
  facts: ProblemFacts
  /**
   * retry: the same request may be sent again, after `facts.retryAfterMs` if given. fall_back: the next model may be called. fail:
   * no model may be called. unknown: the request may have been carried out.
   */
  next: 'retry' | 'fall_back' | 'fail' | 'unknown'
  /** A bug in the adapter, not a response of the provider: it goes to the log. */
  isOurs?: boolean
}

export interface ErrorContext {
  phase: Phase
  /** Values that the message must not contain. */
  secrets: readonly string[]
  nowMs: number
}

/** Problems that another model would not solve, or must not be given. */
const final: ReadonlySet<ProblemKind> = new Set(['refused', 'invalid_request', 'cancelled', 'budget', 'timeout'])

export function classifyError(error: unknown, context: ErrorContext): ClassifiedError {
  const { kind, message, facts, next, isOurs } = read(error, context)
  // Messages about a wrong key often contain the key.
  const text = kind === 'auth' ? '' : redact(message, context.secrets)
  const plain = withoutSecretsIn(facts, context.secrets)
  return { kind, message: text, facts: plain, next: next ?? nextOf(kind), ...(isOurs && { isOurs }) }
}

/** A provider may also echo the key in a header. */
function withoutSecretsIn(facts: ProblemFacts, secrets: readonly string[]): ProblemFacts {
  const { code, requestId } = facts
  return {
    ...facts,
    ...(code !== undefined && { code: redact(code, secrets).slice(0, 100) }),
    ...(requestId !== undefined && { requestId: redact(requestId, secrets).slice(0, 200) }),
  }
}

type Read = Omit<ClassifiedError, 'next'> & { next?: ClassifiedError['next'] }

function read(error: unknown, context: ErrorContext): Read {
  const problem = causeOf(error, (cause) => cause instanceof ProviderProblem)
  if (problem) return ofProblem(problem, context.phase)
  const http = causeOf(error, (cause) => cause instanceof HttpProblem)
  if (http) return ofHttp(http, context.phase)
  const api = apiErrorOf(error)
  if (api?.status !== undefined) return ofStatus(api, api.status, context)
  if (isUnsent(error)) return { kind: 'down', message: 'It cannot be connected to.', facts: {}, next: 'retry' }
  return ofName(error, context.phase)
}

function ofProblem({ kind, message, facts }: ProviderProblem, phase: Phase): Read {
  if (phase !== 'submit') return { kind, message, facts }
  if (kind === 'outcome_unknown' || kind === 'timeout') {
    return { kind: 'outcome_unknown', message, facts: { billed: 'unknown', ...facts }, next: 'unknown' }
  }
  const isTemporary = kind === 'rate_limited' || (kind === 'down' && mayRetry(facts.status, facts))
  return { kind, message, facts, ...(isTemporary && { next: 'retry' }) }
}

/** 503 or `Retry-After` means that the provider did nothing. */
function mayRetry(status: number | undefined, { retryAfterMs: after, billed }: ProblemFacts): boolean {
  return (status === 503 || after !== undefined) && (billed ?? 'no') === 'no'
}

function ofHttp({ kind, isUnsent, message, status }: HttpProblem, phase: Phase): Read {
  const facts = status === undefined ? {} : { status }
  if (kind === 'refused_address') {
    // The URL of a result: the provider has done its work.
    if (phase !== 'submit') return { kind: 'bad_output', message, facts: { ...facts, billed: 'yes' } }
    return { kind: 'down', message, facts, next: 'fall_back' }
  }
  if (phase === 'submit') {
    if (isUnsent) return { kind: 'down', message, facts, next: kind === 'broken' ? 'fall_back' : 'retry' }
    if (kind === 'too_large') return { kind: 'bad_output', message, facts: { ...facts, billed: 'unknown' } }
    return unknown(message, facts)
  }
  // File stores return 403 for deleted files and for expired signatures.
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429) {
    return { kind: 'expired', message, facts: { ...facts, billed: 'yes' } }
  }
  if (kind === 'too_large') return { kind: 'bad_output', message, facts: { ...facts, billed: 'yes' } }
  return { kind: 'down', message, facts: { ...facts, billed: 'unknown' }, next: 'retry' }
}

function ofStatus({ message, body, code, header, requestId }: ApiError, status: number, context: ErrorContext): Read {
  const after = retryAfterMs(header, context.nowMs)
  const facts: ProblemFacts = {
    status,
    ...(code !== undefined && { code }),
    ...(requestId !== undefined && { requestId }),
    ...(after !== undefined && { retryAfterMs: after }),
  }
  const of = (kind: ProblemKind, next?: ClassifiedError['next']): Read => ({
    kind,
    message,
    facts,
    ...(next && { next }),
  })
  const isSubmit = context.phase === 'submit'
  if (moderationCodes.test(`${code ?? ''} ${body.slice(0, 4_000)}`) && status < 500) return of('refused')
  if (status === 402 || quotaCodes.test(code ?? '')) return of('quota')
  if (status === 401 || status === 403 || status === 407) return of('auth')
  if (status === 429) return of('rate_limited', 'retry')
  if (status === 503) return of('down', 'retry')
  if (status === 408 || status >= 500) return isSubmit ? unknown(message, facts) : of('down', 'retry')
  if (status === 404 || status === 410) return isSubmit ? of('unsupported') : of('expired')
  if (status >= 400) return of('invalid_request')
  // Redirects are not followed, so nothing was carried out.
  if (status >= 300) return of('down', 'fall_back')
  return { kind: 'bad_output', message, facts: { ...facts, billed: 'unknown' } }
}

/** Classifies by the names of library errors: importing the libraries would slow down every start. */
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
    return { kind: 'down', message, facts: billed, next: 'retry' }
  }
  // The message isn't from the provider and may contain the request.
  if (phase === 'submit') return { ...unknown('It is unknown whether the provider ran the request.', {}), isOurs: true }
  return { kind: 'bad_output', message: 'The response could not be read.', facts: billed, isOurs: true }
}

function unknown(message: string, facts: ProblemFacts): Read {
  return { kind: 'outcome_unknown', message, facts: { billed: 'unknown', ...facts }, next: 'unknown' }
}

function nextOf(kind: ProblemKind): ClassifiedError['next'] {
  return kind === 'outcome_unknown' ? 'unknown' : final.has(kind) ? 'fail' : 'fall_back'
}

/** Whether the next model may be called after a call that ended with this problem. */
export function mayFallBack(kind: string): boolean {
  return kind !== 'outcome_unknown' && !(final as ReadonlySet<string>).has(kind)
}

/** Codes of Node and undici for a connection that was never made. */
const unsentCodes = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

function isUnsent(error: unknown): boolean {
  return causeOf(error, (cause): cause is Error => unsentCodes.test(codeOf(cause) ?? '')) !== undefined
}

function isOfNetwork(error: unknown): boolean {
  return causeOf(error, (cause): cause is Error => /^(E[A-Z]+|UND_ERR_\w+)$/.test(codeOf(cause) ?? '')) !== undefined
}

/** The first error in the chain of causes that matches. */
function causeOf<Kind extends Error>(error: unknown, is: (error: Error) => error is Kind): Kind | undefined {
  let cause = error
  for (let depth = 0; depth < 8 && cause instanceof Error; depth++) {
    if (is(cause)) return cause
    cause = cause.cause
  }
  return undefined
}
