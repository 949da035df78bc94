/** How an ask fails: the kinds of problems of providers in the closed list of reasons, and in words. */
import { type FailureReason, Fault, failure } from '../../errors.ts'
import type { ProblemKind } from '../define.ts'

/** Why one model gave no answer. */
export interface Refusal {
  /** `provider/model` */
  model: string
  kind: ProblemKind
  /** What the provider says, or a sentence of ours. */
  message: string
  status?: number | undefined
  requestId?: string | null
  billed: 'no' | 'yes' | 'unknown'
  /** Of an unknown outcome where the node wants it asked again: how often it may have been carried out. */
  unknownTimes?: number
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

/** What happened, as it goes on after the name of the model, and what helps. */
const words: Record<ProblemKind, { what: string; help?: string }> = {
  not_configured: { what: 'cannot be asked' },
  auth: {
    what: "did not accept the service's key, or the key may not do this",
    help: 'Whoever runs the service is to check it.',
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

/** Nothing may be asked any more; `others`: the models that were tried before. */
export function failureOf(refusal: Refusal, others: readonly Refusal[] = []): Fault {
  const { model, kind, status, requestId, billed } = refusal
  const fault = failure(reasons[kind], [...others, refusal].map(sentenceOf).join(' '))
  const details = {
    ...fault.details,
    provider: model.slice(0, model.indexOf('/')),
    model,
    problem: kind,
    ...(status !== undefined && { status }),
    // `requestId` is that of the request to the service.
    ...(requestId != null && { providerRequestId: requestId }),
    billed,
  }
  return new Fault(fault.code, fault.message, details)
}

/** As long as the name of a provider is. */
const titleCharsMax = 40

function sentenceOf({ model, kind, message, unknownTimes }: Refusal): string {
  const { what, help } = unknownTimes === undefined ? words[kind] : repeated(unknownTimes)
  // Adapters begin their sentence with who it was; where they go on with these words, they are not said twice.
  const at = message.indexOf(` ${what}`)
  const rest = at >= 0 && at <= titleCharsMax ? message.slice(at + what.length + 1).replace(/^[:.\s]+/, '') : message
  const said = rest === '' ? '' : `: ${rest.replace(/[.\s]+$/, '')}`
  return `${model} ${what}${said}.${help ? ` ${help}` : ''}`
}

/** Where the node itself has it asked again. */
function repeated(times: number): { what: string; help: string } {
  const often = times === 1 ? 'once' : `up to ${times} times`
  const what = `may have carried the request out ${often}, and whether it did cannot be known: it is not sent again`
  return { what, help: 'Execute again later.' }
}

/** The whole chain was tried: what is told is the first that was asked, rather than one that has no key. */
export function exhausted(refusals: readonly Refusal[]): Fault {
  const told = refusals.find(({ kind }) => kind !== 'not_configured' && kind !== 'circuit_open') ?? refusals[0]
  if (told === undefined) throw new Error('no model was tried')
  const fault = failureOf(told)
  return new Fault(fault.code, refusals.map(sentenceOf).join(' '), fault.details)
}
