/** Why models returned no result: problems of providers as failure reasons and messages. */
import type { ProviderCall } from '../../domain/provider-call.ts'
import { type FailureReason, Fault, failure } from '../../errors.ts'
import { type ProblemKind, problemKinds } from '../define.ts'

/** Why one model returned no result. */
export interface Refusal {
  /** `provider/model` */
  model: string
  kind: ProblemKind
  /** From the provider, or from Tintype. */
  message: string
  status?: number | undefined
  requestId?: string | null
  billed: 'no' | 'yes' | 'unknown'
  /** If the outcome is unknown and the node retries: how many requests may have been carried out. */
  unknownTimes?: number
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
  no_output: 'provider_unavailable',
  expired: 'provider_unavailable',
  outcome_unknown: 'provider_unavailable',
  cancelled: 'provider_unavailable',
  circuit_open: 'provider_unavailable',
  budget: 'limit_exceeded',
}

/** What happened, as a sentence that starts with the name of the model, and how to fix it. */
const words: Record<ProblemKind, { what: string; help?: string }> = {
  not_configured: { what: 'cannot be asked' },
  auth: {
    what: "did not accept the service's key, or the key may not do this",
    help: 'The operator must check it.',
  },
  quota: { what: "is not paid for: the balance or the quota of the service's key is used up" },
  rate_limited: { what: 'takes no more requests for now', help: 'Try again later.' },
  invalid_request: { what: 'did not accept the request' },
  unsupported: { what: 'cannot do this' },
  refused: { what: 'declined the content', help: 'Change the prompt or the images.' },
  down: { what: 'could not be asked' },
  timeout: { what: 'took too long' },
  bad_output: { what: 'gave something that cannot be used' },
  no_output: { what: 'gave nothing' },
  expired: { what: 'does not have the job or its result any more' },
  outcome_unknown: {
    what: 'may have carried the request out, and whether it did cannot be known: it was not sent again',
    help: 'Execute again, or let the node do so by onUnknownOutcome: retry.',
  },
  cancelled: { what: 'was told to give this up', help: 'Execute again.' },
  circuit_open: { what: 'failed too often lately and is not asked for a while', help: 'Try again later.' },
  budget: { what: 'was not asked' },
}

/** Ends the step. `others`: the models that were tried before. */
export function failureOf(refusal: Refusal, others: readonly Refusal[] = []): Fault {
  const { model, kind, status, requestId, billed } = refusal
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
  }
  return new Fault(fault.code, fault.message, details)
}

/** Longest title of a provider at the start of its messages. */
const titleCharsMax = 40

function sentenceOf({ model, kind, message, unknownTimes }: Refusal): string {
  const { what, help } = unknownTimes === undefined ? words[kind] : repeated(unknownTimes)
  // Messages of adapters start with the title of the provider. If the same words follow, they are not repeated.
  const at = message.indexOf(` ${what}`)
  const rest = at >= 0 && at <= titleCharsMax ? message.slice(at + what.length + 1).replace(/^[:.\s]+/, '') : message
  const detail = rest === '' ? '' : `: ${rest.replace(/[.\s]+$/, '')}`
  return `${model} ${what}${detail}.${help ? ` ${help}` : ''}`
}

/** For nodes with `onUnknownOutcome: retry`. */
function repeated(times: number): { what: string; help: string } {
  const often = times === 1 ? 'once' : `up to ${times} times`
  const what = `may have carried the request out ${often}, and whether it did cannot be known: it is not sent again`
  return { what, help: 'Execute again later.' }
}

/** Every model was tried. The details are those of the first one that was called; a missing key matters less. */
export function exhausted(refusals: readonly Refusal[]): Fault {
  const shown = refusals.find(({ kind }) => kind !== 'not_configured' && kind !== 'circuit_open') ?? refusals[0]
  if (shown === undefined) throw new Error('no model was tried')
  const fault = failureOf(shown)
  return new Fault(fault.code, refusals.map(sentenceOf).join(' '), fault.details)
}
