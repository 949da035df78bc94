/** Why models returned no result: problems of providers as failure reasons and messages. */
import type { BudgetKind, ProviderCall } from '../../domain/models/provider-call.ts'
import { type FailureReason, Fault, failure } from '../../errors.ts'
import { type ProblemKind, problemKinds } from '../define.ts'

/** Why one model returned no result. */
export interface Refusal {
  /** `provider/model` */
  model: string
  kind: ProblemKind
  /** Message from the provider, or from Tintype. */
  message: string
  status?: number | undefined
  requestId?: string | null
  billed: 'no' | 'yes' | 'unknown'
  /** If the outcome is unknown and the node retries: how many requests may have been carried out. */
  unknownTimes?: number
  /** The budget that has too little left. */
  budget?: BudgetKind
}

export function modelOf({ provider, model }: Pick<ProviderCall, 'provider' | 'model'>): string {
  return `${provider}/${model}`
}

/** The problem of a call that ended without a result. */
export function kindOf({ state, problem }: ProviderCall): ProblemKind {
  if (state === 'unknown') return 'outcome_unknown'
  // The retries of a request that was never sent are used up: no one cancelled it.
  if (state === 'cancelled') return problem?.isForNow ? 'down' : 'cancelled'
  return problemKinds.find((kind) => kind === problem?.kind) ?? 'down'
}

export function refusalOf(row: ProviderCall): Refusal {
  return {
    model: modelOf(row),
    kind: kindOf(row),
    message: row.problem?.message ?? '',
    status: row.problem?.status,
    requestId: row.requestId,
    billed: billedOf(row),
  }
}

function billedOf({ costMicros, costSource }: ProviderCall): Refusal['billed'] {
  if (costMicros === 0) return 'no'
  return costSource === 'assumed' || costMicros === null ? 'unknown' : 'yes'
}

const reasons: Record<ProblemKind, FailureReason> = {
  not_configured: 'provider_not_configured',
  auth: 'provider_unavailable',
  quota: 'provider_unavailable',
  rate_limited: 'provider_rate_limited',
  invalid_request: 'input_invalid',
  unsupported: 'input_invalid',
  refused: 'provider_refused',
  down: 'provider_unavailable',
  timeout: 'timeout',
  bad_output: 'provider_unavailable',
  mismatch: 'provider_unavailable',
  no_output: 'provider_unavailable',
  expired: 'provider_unavailable',
  outcome_unknown: 'provider_unavailable',
  cancelled: 'provider_unavailable',
  circuit_open: 'provider_unavailable',
  budget: 'limit_exceeded',
}

/** What happened, as a sentence that starts with the name of the model, and how to fix it. */
const words: Record<ProblemKind, { phrase: string; help?: string }> = {
  not_configured: { phrase: 'is not configured' },
  auth: {
    phrase: 'rejected the API key of the service, or the key lacks a permission',
    help: 'The operator must check the key.',
  },
  quota: {
    phrase: 'has no credit or quota left for the API key of the service',
    help: 'The operator must check the account.',
  },
  rate_limited: { phrase: 'limits the rate of requests', help: 'Retry later.' },
  invalid_request: { phrase: 'rejected the request' },
  unsupported: { phrase: 'does not support the request' },
  refused: { phrase: 'rejected the content', help: 'Change the prompt or the images.' },
  down: { phrase: 'is unavailable', help: 'Retry later.' },
  timeout: { phrase: 'took too long' },
  bad_output: { phrase: 'returned an unusable result', help: 'Execute again.' },
  mismatch: {
    phrase: 'returned a response that does not match the schema',
    help: 'Execute again, allow more in the schema, or describe its fields.',
  },
  no_output: { phrase: 'returned no result', help: 'Execute again, or change the prompt or the images.' },
  expired: { phrase: 'no longer has the job or its result', help: 'Execute again.' },
  outcome_unknown: {
    phrase: 'may have completed the request, but its outcome is unknown, so it was not sent again',
    help: 'Execute again, or set `onUnknownOutcome: retry` on the node.',
  },
  cancelled: { phrase: 'was cancelled', help: 'Execute again.' },
  circuit_open: { phrase: 'failed too often, so the service calls it no more for a while', help: 'Retry later.' },
  budget: { phrase: 'was not called' },
}

/** Ends the step. `others`: the models that were tried before. */
export function failureOf(refusal: Refusal, others: readonly Refusal[] = []): Fault {
  const { model, kind, status, requestId, billed, budget } = refusal
  const fault = failure(reasons[kind], [...others, refusal].map(sentenceOf).join(' '))
  const details = {
    ...fault.details,
    provider: model.slice(0, model.indexOf('/')),
    model,
    problem: kind,
    ...(status !== undefined && { status }),
    // `requestId` is the id of the request to Tintype.
    ...(requestId != null && { providerRequestId: requestId }),
    billed,
    // The trigger that ends a row of a batch reads it.
    ...(budget !== undefined && { budget }),
  }
  return new Fault(fault.code, fault.message, details)
}

/** Longest title of a provider at the start of its messages. */
const titleCharsMax = 40

function sentenceOf({ model, kind, message, unknownTimes }: Refusal): string {
  const { phrase, help } = unknownTimes === undefined ? words[kind] : repeated(unknownTimes)
  // Messages of adapters start with the title of the provider. If the same words follow, they are not repeated.
  const at = message.indexOf(` ${phrase}`)
  const rest = at >= 0 && at <= titleCharsMax ? message.slice(at + phrase.length + 1).replace(/^[:.\s]+/, '') : message
  const detail = rest === '' ? '' : `: ${rest.replace(/[.\s]+$/, '')}`
  return `${model} ${phrase}${detail}.${help ? ` ${help}` : ''}`
}

/** Phrase and help for nodes with `onUnknownOutcome: retry`. */
function repeated(times: number): { phrase: string; help: string } {
  const often = times === 1 ? 'once' : `up to ${times} times`
  const phrase = `may have completed the request ${often}, but its outcome is unknown, so it is not sent again`
  return { phrase, help: 'Execute again later.' }
}

/** Every model was tried. The details are those of the first one that was called; a missing key matters less. */
export function exhausted(refusals: readonly Refusal[]): Fault {
  const reported = refusals.find(({ kind }) => kind !== 'not_configured' && kind !== 'circuit_open') ?? refusals[0]
  if (reported === undefined) throw new Error('no model was tried')
  const fault = failureOf(reported)
  return new Fault(fault.code, refusals.map(sentenceOf).join(' '), fault.details)
}
