/** The calls that were made at one call site, and what they allow next. */
import type { InvocationOptions, ModelCallRecord, ModelInvocation } from '../../domain/models/model.ts'
import { callRecord, type ProviderCall } from '../../domain/models/provider-call.ts'
import { limits } from '../../limits.ts'
import { hasEnded } from './call-record.ts'
import { mayFallBack } from './classify-error.ts'
import { kindOf, modelOf, type Refusal } from './failures.ts'

/** Reports its calls to the step whenever they change. */
export class CallHistory {
  /** Rows of this execution, in their order. */
  rows: readonly ProviderCall[] = []
  readonly #report: InvocationOptions['onCalls']
  /** Records by the id of the call, or a number. */
  readonly #records = new Map<string | number, ModelCallRecord>()

  constructor(report: InvocationOptions['onCalls']) {
    this.#report = report
  }

  /** The calls of a model (`provider/model`) that ended without a result. */
  failedCallsOf(model: string): ProviderCall[] {
    return this.rows.filter((row) => modelOf(row) === model && hasEnded(row) && row.state !== 'done')
  }

  nextSequence(): number {
    return Math.max(-1, ...this.rows.map(({ sequence }) => sequence)) + 1
  }

  /** Replaces the calls with those of the store. */
  load(rows: readonly ProviderCall[]): void {
    this.rows = [...rows].sort((a, b) => a.sequence - b.sequence)
  }

  /** Adds or replaces a call that has ended. */
  add(row: ProviderCall): void {
    const at = this.rows.findIndex(({ id }) => id === row.id)
    this.rows = at < 0 ? [...this.rows, row] : this.rows.with(at, row)
    this.#put(row.id, callRecord(row))
  }

  /** Adds a call of a resumed execution: its cost counted there. */
  addResumed(row: ProviderCall): void {
    this.#put(row.id, { ...callRecord(row), costUsd: 0 })
  }

  addRefusal({ model, kind }: Refusal): void {
    this.#put(this.#records.size, { model, outcome: kind, costUsd: 0, costSource: null })
  }

  /** Only after other models: a step that used a local model alone needs no list. */
  addLocal(model: string): void {
    if (this.#records.size > 0) this.#put(this.#records.size, { model, outcome: 'done', costUsd: 0, costSource: null })
  }

  #put(key: string | number, record: ModelCallRecord): void {
    this.#records.set(key, record)
    this.#report([...this.#records.values()])
  }
}

export type RetryDecision =
  /** `tries`: the number of calls without a result. */
  | { is: 'try'; tries: number }
  /** The next model of the chain may be called. */
  | { is: 'fall_back'; last: ProviderCall }
  /** No model may be called. */
  | { is: 'fail'; last: ProviderCall }

/** Retries of one model, after a response that doesn't match the schema. The next request states the difference. */
const mismatchRetries = 1

/** `failed`: the calls of one model that ended without a result. The same after a crash, because it depends on records only. */
export function decideRetry(
  failed: readonly ProviderCall[],
  onUnknownOutcome: ModelInvocation['onUnknownOutcome'],
): RetryDecision {
  const tries = failed.length
  const last = failed.at(-1)
  if (last === undefined) return { is: 'try', tries }
  const mayTry = tries < limits.providerTriesMax
  if (kindOf(last) === 'mismatch') {
    const mismatches = failed.filter((call) => kindOf(call) === 'mismatch').length
    return mayTry && mismatches <= mismatchRetries ? { is: 'try', tries } : { is: 'fall_back', last }
  }
  if (last.problem?.isForNow) return mayTry ? { is: 'try', tries } : { is: 'fall_back', last }
  // A cancelled call may have been carried out, just like one with an unknown outcome.
  if (last.state === 'unknown' || last.state === 'cancelled') {
    return mayTry && onUnknownOutcome === 'retry' ? { is: 'try', tries } : { is: 'fail', last }
  }
  return { is: mayFallBack(kindOf(last)) ? 'fall_back' : 'fail', last }
}
