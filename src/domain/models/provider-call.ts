/** Records of provider calls, written before, during and after each call, so that no call is paid twice. */
import { isDeepStrictEqual } from 'node:util'
import type { ExecutionError } from '../executions/execution.ts'
import type { CallSite, Capability, CostSource, Micros, ModelCallRecord } from './model.ts'

/**
 * submitting: it may have been sent, or is about to be. accepted: the provider works on it, and `handle` identifies the job.
 * done: the response is stored. failed: `problem` says why. unknown: the provider may or may not have carried it out. cancelled:
 * it was stopped. The last four are final.
 */
export const callStates = ['submitting', 'accepted', 'done', 'failed', 'unknown', 'cancelled'] as const
export type CallState = (typeof callStates)[number]

/** JSON of at most some kilobytes. */
export type Handle = Record<string, unknown>

export interface ProviderCall extends CallSite {
  id: string
  accountId: string
  executionId: string
  workflowId: string
  /** The key that started the execution; null if it is not known. */
  keyId: string | null
  /** Counts the calls of this call site, from 0: retries and fallbacks. */
  sequence: number
  capability: Capability
  provider: string
  /** Name without the provider. */
  model: string
  /** A hash of the request, in hex: calls of a resumed execution count only for an identical request. */
  requestHash: string
  state: CallState
  handle: Handle | null
  response: CallResponse | null
  problem: CallProblem | null
  /** The amount that is reserved in the budgets until the cost is known. */
  reservedMicros: Micros
  /** Null until it is known, or if it can't be determined. */
  costMicros: Micros | null
  costSource: CostSource | null
  /** The provider's id of the request or the job. */
  requestId: string | null
  createdAt: number
  /** The time of the last change of state. */
  updatedAt: number
}

/** The entry of a call that has ended in the record of a step. */
export function callRecord({ provider, model, state, problem, ...call }: ProviderCall): ModelCallRecord {
  const outcomes = { done: 'done', unknown: 'outcome_unknown', cancelled: 'cancelled' }
  return {
    model: `${provider}/${model}`,
    outcome: (outcomes as Partial<Record<CallState, string>>)[state] ?? problem?.kind ?? 'down',
    costUsd: call.costMicros === null ? null : call.costMicros / 1e6,
    costSource: call.costSource,
    ...(call.requestId !== null && { requestId: call.requestId }),
  }
}

/** The entries of `records` that are not in `others`. Equal entries count separately. */
export function callsNotIn(records: readonly ModelCallRecord[], others: readonly ModelCallRecord[]): ModelCallRecord[] {
  const left = [...others]
  return records.filter((record) => {
    const at = left.findIndex((other) => isDeepStrictEqual(other, record))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** The blob key of the nth image of a call, from 0. */
export function callBlobKey(callId: string, n: number, extension: string): string {
  return `${callId}_${n}.${extension}`
}

/** The id of the call that a blob belongs to. */
export function callIdOfBlob(key: string): string {
  return key.slice(0, key.lastIndexOf('_'))
}

/** The response; the bytes of images are blobs (`callBlobKey`). */
export interface CallResponse {
  blobKeys: string[]
  text?: string
  seed?: number
}

export interface CallProblem {
  kind: string
  message: string
  status?: number
  /** It certainly was not carried out, or costs nothing, so the same model may be called again. */
  isForNow?: true
}

/** The end of a call. */
export interface CallEnd {
  state: 'done' | 'failed' | 'unknown' | 'cancelled'
  response?: CallResponse
  problem?: CallProblem
  costMicros: Micros | null
  costSource: CostSource | null
  requestId?: string | null
}

/** The end of a call whose process was lost before it knew whether the provider accepted the request. */
export function outcomeUnknown({ reservedMicros }: ProviderCall): CallEnd {
  const problem = { kind: 'outcome_unknown', message: 'the service ended before the provider responded' }
  // Without a reserved amount, no price is known.
  const isPriced = reservedMicros > 0
  return {
    state: 'unknown',
    problem,
    costMicros: isPriced ? reservedMicros : null,
    costSource: isPriced ? 'assumed' : null,
  }
}

/** The error of an execution that ended while the outcome of these calls was unknown: callers read it before they resume. */
export function withUnknownCalls(error: ExecutionError, calls: readonly ProviderCall[]): ExecutionError {
  const [first] = calls
  if (first === undefined) return error
  const model = `${first.provider}/${first.model}`
  const more = calls.length > 1 ? ` and ${calls.length - 1} more` : ''
  const message = `${error.message} The request of node ${first.node} to ${model}${more} may have been carried out and billed: Tintype can't know. Resuming the execution sends it again.`
  const details = {
    ...error.details,
    node: first.node,
    provider: first.provider,
    model,
    problem: 'outcome_unknown',
    billed: 'unknown',
  }
  return { ...error, message, details }
}

/** A budget, as the error of a refused call names it. */
export const budgetKinds = ['execution', 'batch', 'account', 'signing key', 'key day', 'key month'] as const
export type BudgetKind = (typeof budgetKinds)[number]

/** The limits of spending. Null: no limit. */
export interface Budgets {
  executionMicros: Micros | null
  /** Budget of the calendar month (UTC) in which a call begins. */
  accountMonthMicros: Micros | null
  /** Budget of the batch that the execution belongs to. */
  batch?: { id: string; micros: Micros | null }
  /** Budget of the month for calls of executions that a delivery URL started. Undefined for other calls. */
  signingKeyMonthMicros?: Micros | null | undefined
  /** Budgets of the day and of the month for calls of executions that an API key started. */
  keyDayMicros?: Micros | null | undefined
  keyMonthMicros?: Micros | null | undefined
}

export type BeginResult =
  | 'started'
  /** The attempt has lost its lease: another attempt has taken over, or the execution was cancelled. */
  | 'lease_lost'
  /** A call with this site and sequence exists. */
  | 'taken'
  /** It would exceed the budget. Reserved amounts of other calls count as spent. A free call never exceeds a budget. */
  | { over: BudgetKind; budgetMicros: Micros; spentMicros: Micros }

export interface ProviderCallStore {
  /**
   * Records the call as `submitting` and reserves `reservedMicros` in all its budgets, in one durable transaction. Exact under
   * concurrency. Writes nothing if `attempt` may no longer write. Idempotent by id: `started` again, while it is `submitting`.
   */
  begin(call: ProviderCall, attempt: number, budgets: Budgets): Promise<BeginResult>
  /** Changes the state from `submitting` to `accepted`. False if its state has changed. */
  accept(id: string, handle: Handle, requestId: string | null, now: number): Promise<boolean>
  /** Replaces the handle after a poll. False if its state has changed. */
  update(id: string, handle: Handle, now: number): Promise<boolean>
  /**
   * Ends an open call in one transaction. It releases the reserved amount, and adds the cost (or, for `done` and `unknown`
   * without a known cost, the reserved amount) to the month in which the call began and to the usage of today. False, with
   * nothing written, if the call has ended.
   */
  end(id: string, end: CallEnd, now: number): Promise<boolean>
  /** All calls of these executions at this site, the oldest first. */
  at(executionIds: readonly string[], site: CallSite): Promise<ProviderCall[]>
  /** All calls of an execution that have ended, in the order of items and invocations. */
  endedOf(executionId: string): Promise<ProviderCall[]>
  /** Open calls whose execution has ended and that have not changed since this time. Oldest first. */
  listOrphaned(before: number, rowsMax: number): Promise<ProviderCall[]>
  /** The given blob keys that a row names, or whose call has not ended. */
  existing(blobKeys: readonly string[]): Promise<Set<string>>
  /** The cost of an account's calls by day (UTC), workflow, key and model, from rows that the store updates when calls end. */
  usage(accountId: string, filter: UsageFilter): Promise<UsageRow[]>
  /** The spent and reserved amounts of an account, or of the budget of a key, in a period: a month such as `2026-11`, or a day of an API key. */
  spentOf(scope: string, period: string): Promise<{ spentMicros: Micros; reservedMicros: Micros }>
}

export interface UsageFilter {
  /** First and last day, for example `2026-11-21`. */
  from: string
  to: string
  workflowId?: string
  keyId?: string
}

export interface UsageRow {
  day: string
  workflowId: string
  keyId: string | null
  /** `provider/model` */
  model: string
  capability: Capability
  /** Calls that ended on this day: `calls` with a response, `failures` without one. */
  calls: number
  failures: number
  /** The amount that counts as spent. For calls of unknown cost it is the reserved amount. */
  costMicros: Micros
  /** Calls whose cost is unknown or assumed. */
  unknownCosts: number
}
