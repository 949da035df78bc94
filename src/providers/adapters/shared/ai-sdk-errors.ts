/**
 * Errors of the AI SDK as problems. The errors contain prompts, images and headers, so only the fields that are read here go further.
 * The status comes from the observed response, not from the error.
 */
import { systemClock } from '../../../domain/clock.ts'
import { retryAfterMs } from '../../../domain/retry-after.ts'
import { HttpProblem } from '../../../net/provider-http.ts'
import { type ProblemFacts, type ProblemKind, ProviderProblem } from '../../define.ts'
import type { SentState } from './ai-sdk-transport.ts'
import { redact } from './redact.ts'

/** The provider of the request. */
export interface ProviderIdentity {
  title: string
  /** Values that messages must not contain. */
  secrets: readonly string[]
}

export function problemOf(error: unknown, sentState: SentState, identity: ProviderIdentity): Error {
  if (error instanceof ProviderProblem) return withRequestId(error, sentState)
  const http = causeOf(error, HttpProblem)
  // The response arrived, but the file that it points to didn't.
  if (http && sentState.status !== undefined)
    return problem(
      'bad_output',
      identity,
      `returned an image that could not be downloaded: ${http.message}`,
      sentState,
      'yes',
    )
  if (http) return http
  if (!sentState.isSent) return beforeSending(error, identity)
  if (sentState.status === undefined)
    return problem('outcome_unknown', identity, 'returned an unreadable response', sentState, 'unknown')
  return sentState.status >= 300
    ? ofStatus(sentState.status, sentState, identity)
    : ofSuccess(error, sentState, identity)
}

/** The SDK rejected the request: nothing was sent. */
function beforeSending(error: unknown, identity: ProviderIdentity): ProviderProblem {
  const name = error instanceof Error ? error.name : ''
  if (name === 'AI_LoadAPIKeyError' || name === 'AI_LoadSettingError')
    return new ProviderProblem('not_configured', `${identity.title} is not configured.`)
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
    return new ProviderProblem('down', `The SDK of ${identity.title} cannot be loaded.`, {}, { cause: error })
  return new ProviderProblem('unsupported', `${identity.title} does not support the request with this model.`)
}

/** The response was a success, but the SDK found no usable result in it. */
function ofSuccess(error: unknown, sentState: SentState, identity: ProviderIdentity): ProviderProblem {
  const { name = '', message = '', calls } = (error ?? {}) as { name?: string; message?: string; calls?: unknown }
  const reason = name === 'AI_NoImageGeneratedError' ? googleReason(calls) : undefined
  if (reason !== undefined && moderationReasons.test(reason))
    return problem('refused', identity, 'rejected the content', { ...sentState, text: reason }, 'unknown', reason)
  // Two providers report a refusal in a successful response, and their packages only in the message, or not at all.
  if (
    (name === 'Error' && /moderated|content policy/i.test(message)) ||
    refusals.test(errorOf(sentState.text ?? '').words)
  )
    return problem('refused', identity, 'rejected the content', sentState, 'unknown')
  if (name === 'AI_NoImageGeneratedError' || (name === 'Error' && /returned no images/.test(message)))
    return problem('no_output', identity, 'returned no image', sentState, 'yes', reason)
  // The page of a proxy, or a truncated response: it is unknown what the provider did.
  if (sentState.isJson === false)
    return problem(
      'outcome_unknown',
      identity,
      'returned a response that is not JSON',
      { ...sentState, text: '' },
      'unknown',
    )
  return problem('bad_output', identity, 'returned an unusable result', sentState, 'yes')
}

/** Finish and block reasons of Gemini, https://ai.google.dev/api/generate-content. */
const moderationReasons =
  /^(IMAGE_SAFETY|PROHIBITED_CONTENT|IMAGE_PROHIBITED_CONTENT|IMAGE_RECITATION|RECITATION|SAFETY|BLOCKLIST|SPII|blocked:.*)$/

function googleReason(calls: unknown): string | undefined {
  const [call] = Array.isArray(calls) ? calls : []
  const { finishReason, promptFeedback } = call?.providerMetadata?.google ?? {}
  const blocked: unknown = promptFeedback?.blockReason
  if (typeof blocked === 'string' && blocked !== '' && !blocked.endsWith('_UNSPECIFIED')) return `blocked:${blocked}`
  return typeof finishReason === 'string' ? finishReason : undefined
}

/** An error response: classified by its status, or by the error code of the provider if the status isn't enough. */
function ofStatus(status: number, sentState: SentState, identity: ProviderIdentity): ProviderProblem {
  const { code, words } = errorOf(sentState.text ?? '')
  const errorText = `${code} ${words}`
  const of = (kind: ProblemKind, message: string, billed: ProblemFacts['billed'] = 'no') =>
    problem(
      kind,
      identity,
      message,
      kind === 'auth' ? { ...sentState, text: '' } : sentState,
      billed,
      code || undefined,
    )
  if (status < 500 && refusals.test(errorText)) return of('refused', 'rejected the content')
  if (status === 402 || (status < 500 && spent.test(errorText)))
    return of('quota', 'has no credit or quota left for the API key of the service')
  if (status === 401 || status === 403 || (status === 400 && badKeys.test(errorText)))
    return of('auth', 'rejected the API key of the service, or the key lacks a permission')
  if (status === 429 && spentToday.test(sentState.text ?? ''))
    return of('quota', 'has reached the daily quota of the API key of the service')
  if (status === 404) return of('unsupported', 'does not have this model')
  if (status === 429) return of('rate_limited', 'limits the rate of requests')
  // 503 and 529 mean that nothing was carried out. Other 5xx don't, and 408 may come from a proxy.
  if (status === 503 || status === 529) return of('down', 'is unavailable')
  if (status >= 500 || status === 408)
    return of('outcome_unknown', 'failed, without reporting whether it processed the request', 'unknown')
  if (status >= 400) return of('invalid_request', 'rejected the request')
  return of('down', 'returned an unexpected response: check its base URL')
}

const refusals =
  /moderation_blocked|content_policy_violation|content_?filter|ResponsibleAIPolicyViolation|safety_violations|content policy|content (was )?moderat|blocked by (our|the) (content|safety)|blocked by.*content filters|violates usage guidelines/i
const spent =
  /insufficient_quota|exceeds the service quota|out of call volume quota|billing_hard_limit|billing_not_active|insufficient_credits|credits? (is|are) exhausted|doesn't have \w+ credits|used all available credits/i
/** Daily quotas of Google, which has the same status and message for limits that end in a minute. */
const spentToday = /"quotaId"\s*:\s*"\w*PerDay/
/** Invalid keys at Google, which returns 400, and at xAI. */
const badKeys = /API_KEY_INVALID|API key not valid|Incorrect API key/i

/** `{ error: { code, type, status, message } }` for OpenAI and Google. xAI and AWS have the message next to `error`. */
function errorOf(text: string): { code: string; words: string } {
  try {
    const body = JSON.parse(text) as Record<string, unknown> | null
    const error = typeof body?.error === 'object' ? (body.error as Record<string, unknown> | null) : body
    const inner = error?.innererror as { code?: unknown } | undefined
    const texts = [error?.code, error?.type, error?.status, inner?.code].filter((text) => typeof text === 'string')
    const words = [error?.message, body?.error, body?.message].find((text) => typeof text === 'string') ?? ''
    return { code: texts.join(' ').slice(0, 200), words: `${words}`.slice(0, 4_000) }
  } catch {
    return { code: '', words: '' }
  }
}

function problem(
  kind: ProblemKind,
  { title, secrets }: ProviderIdentity,
  message: string,
  { status, headers, text = '', requestId }: SentState,
  billed: NonNullable<ProblemFacts['billed']> | undefined,
  code?: string,
): ProviderProblem {
  const words = redact(errorOf(text).words, secrets)
  const after = (headers && retryAfterMs((name) => headers.get(name), systemClock.now())) ?? retryDelayMs(text)
  return new ProviderProblem(
    kind,
    `${title} ${message}${words && `: ${words}`}${/[.!?…]$/.test(words || message) ? '' : '.'}`,
    {
      ...(status !== undefined && { status }),
      ...(code !== undefined && { code: redact(code, secrets).slice(0, 100) }),
      ...(requestId !== undefined && { requestId }),
      ...(after !== undefined && { retryAfterMs: after }),
      billed: billed ?? 'no',
    },
  )
}

/** Google has no header for it: `{ "@type": ".../google.rpc.RetryInfo", "retryDelay": "34s" }` in the body. */
function retryDelayMs(text: string): number | undefined {
  const [, seconds] = /"retryDelay"\s*:\s*"(\d{1,5}(?:\.\d+)?)s"/.exec(text) ?? []
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000)
}

function withRequestId(error: ProviderProblem, { requestId }: SentState): ProviderProblem {
  if (requestId === undefined || error.facts.requestId !== undefined) return error
  return new ProviderProblem(error.kind, error.message, { ...error.facts, requestId })
}

function causeOf<Kind extends Error>(error: unknown, kind: new (...args: never[]) => Kind): Kind | undefined {
  let cause = error
  for (let depth = 0; depth < 8 && cause instanceof Error; depth++) {
    if (cause instanceof kind) return cause
    cause = cause.cause
  }
  return undefined
}
