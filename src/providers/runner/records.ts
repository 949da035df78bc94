/** Calls as steps tell of them, and as the ask that made them sees them. */
import type { CallEnd, ProviderCall } from '../../domain/provider-call.ts'
import { type ProblemKind, problemKinds } from '../define.ts'
import type { Refusal } from './failures.ts'

export function modelOf({ provider, model }: Pick<ProviderCall, 'provider' | 'model'>): string {
  return `${provider}/${model}`
}

export function hasEnded({ state }: ProviderCall): boolean {
  return state !== 'submitting' && state !== 'accepted'
}

/** What went wrong with a call that has ended without an answer. */
export function kindOf({ state, problem }: ProviderCall): ProblemKind {
  if (state === 'unknown') return 'outcome_unknown'
  // What was not sent, its tries spent, is no work that somebody gave up.
  if (state === 'cancelled') return problem?.isForNow ? 'down' : 'cancelled'
  return problemKinds.find((kind) => kind === problem?.kind) ?? 'down'
}

export function refusalOf(call: ProviderCall): Refusal {
  return {
    model: modelOf(call),
    kind: kindOf(call),
    message: call.problem?.message ?? '',
    status: call.problem?.status,
    requestId: call.requestId,
    billed: billedOf(call),
  }
}

function billedOf({ costMicros, costSource }: ProviderCall): Refusal['billed'] {
  if (costMicros === 0) return 'no'
  return costSource === 'assumed' || costMicros === null ? 'unknown' : 'yes'
}

/** Nothing was sent, or nothing is billed. */
export const unbilled = { costMicros: 0, costSource: 'computed' } as const

/** What was set aside for it; null where no price is known. */
export function assumedCost(call: ProviderCall, isPriced: boolean): Pick<CallEnd, 'costMicros' | 'costSource'> {
  return isPriced ? { costMicros: call.reservedMicros, costSource: 'assumed' } : { costMicros: null, costSource: null }
}
