/** Where the story of an ask stands, told from the calls that were made for it: after a crash as while it goes on. */
import type { Ask } from '../../domain/model.ts'
import type { ProviderCall } from '../../domain/provider-call.ts'
import { limits } from '../../limits.ts'
import { mayFallBack } from '../trouble.ts'
import { kindOf } from './records.ts'

export type Standing =
  /** `tries`: how often it was asked in vain. */
  | { is: 'open'; tries: number }
  /** Another model may be asked. */
  | { is: 'spent'; last: ProviderCall }
  /** Nothing may be asked any more. */
  | { is: 'over'; last: ProviderCall }

/** `calls`: those of one model, all ended without an answer, in their order. */
export function standingOf(calls: readonly ProviderCall[], onUnknownOutcome: Ask['onUnknownOutcome']): Standing {
  const tries = calls.length
  const last = calls.at(-1)
  if (last === undefined) return { is: 'open', tries }
  const mayTry = tries < limits.providerTriesMax
  if (last.problem?.isForNow) return mayTry ? { is: 'open', tries } : { is: 'spent', last }
  // Whether a call that was given up was carried out is as little known as of one that was cut off.
  if (last.state === 'unknown' || last.state === 'cancelled') {
    return mayTry && onUnknownOutcome === 'retry' ? { is: 'open', tries } : { is: 'over', last }
  }
  return { is: mayFallBack(kindOf(last)) ? 'spent' : 'over', last }
}
