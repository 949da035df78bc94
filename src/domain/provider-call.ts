/** Calls of providers as they are recorded, before, while and after they are made: what keeps them from being paid twice. */
import { isDeepStrictEqual } from 'node:util'
import type { ExecutionError } from './execution.ts'
import type { CallSite, Capability, CostSource, Micros, ModelCallRecord } from './model.ts'

/**
 * submitting: it may have been sent, or is about to be. accepted: the provider works on it, and `handle` finds it again.
 * done: the answer is here. failed: there is none, and `problem` says why. unknown: nobody can tell whether it was
 * carried out. cancelled: it was given up. The last four never change.
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
  /** Whose execution it is; null where that is not known. */
  keyId: string | null
  /** Of all calls made for this ask, from 0: fallbacks and repetitions. */
  sequence: number
  capability: Capability
  provider: string
  /** Without the provider. */
  model: string
  /** Of all that was asked, in hex: calls of an execution that is resumed count only for the same request. */
  requestHash: string
  state: CallState
  handle: Handle | null
  answer: CallAnswer | null
  problem: CallProblem | null
  /** Set aside of the budgets while it is not known what it costs. */
  reservedMicros: Micros
  /** Null while it is not known, and where nobody can tell. */
  costMicros: Micros | null
  costSource: CostSource | null
  /** The provider's own id of the request or the job. */
  requestId: string | null
  createdAt: number
  /** When its state changed last. */
  updatedAt: number
}

/** As a step tells of one that has ended. */
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

/** Those of `records` that are not among the others; the same twice counts twice. */
export function callsBesides(
  records: readonly ModelCallRecord[],
  others: readonly ModelCallRecord[],
): ModelCallRecord[] {
  const left = [...others]
  return records.filter((record) => {
    const at = left.findIndex((each) => isDeepStrictEqual(each, record))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** The key of the nth image, from 0, that a call gave. */
export function callBlobKey(callId: string, n: number, extension: string): string {
  return `${callId}_${n}.${extension}`
}

/** The id of the call that gave the blob of this key. */
export function callIdOfBlob(key: string): string {
  return key.slice(0, key.lastIndexOf('_'))
}

/** What it gave; the bytes of images are blobs: see `callBlobKey`. */
export interface CallAnswer {
  blobKeys: string[]
  text?: string
  seed?: number
}

export interface CallProblem {
  kind: string
  message: string
  status?: number
  /** It certainly was not carried out, or costs nothing, and the same model may be asked again. */
  isForNow?: true
}

/** What a call came to. */
export interface CallEnd {
  state: 'done' | 'failed' | 'unknown' | 'cancelled'
  answer?: CallAnswer
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

/** The error of an execution that ended while the outcome of these calls was unknown: callers learn it before they resume. */
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

/** Most that may be spent; null: no bound. */
export interface Budgets {
  executionMicros: Micros | null
  /** Of the calendar month (UTC) in which a call begins. */
  accountMonthMicros: Micros | null
}

export type BeginResult =
  | 'begun'
  /** The attempt that asks has lost its right: another has it, or it was cancelled. */
  | 'lease_lost'
  /** A call of this place and sequence is there already. */
  | 'taken'
  /** It would pass the budget. What is set aside for others counts as spent. A call that costs nothing passes none. */
  | { over: 'execution' | 'account'; budgetMicros: Micros; spentMicros: Micros }

export interface ProviderCallStore {
  /**
   * Records it as `submitting` and sets `reservedMicros` aside of both budgets, in one transaction, durable when it
   * returns. Exact however many ask at once. Refused, with nothing written, where `attempt` of the execution may not
   * write any more. Told again with the same id, because the answer was lost: `begun`, while it is `submitting`.
   */
  begin(call: ProviderCall, attempt: number, budgets: Budgets): Promise<BeginResult>
  /** From `submitting` to `accepted`. False when it is not `submitting` any more. */
  accept(id: string, handle: Handle, requestId: string | null, now: number): Promise<boolean>
  /** A handle that goes on: what was learnt while polling. False when it is not `accepted` any more. */
  update(id: string, handle: Handle, now: number): Promise<boolean>
  /**
   * From `submitting` or `accepted` to its end, in one transaction: what was set aside is given back, what it costs (or,
   * where that is not known of one that is `done` or `unknown`, what was set aside) counts as spent in the month in which
   * it began, and the usage of the day on which it ends grows by the same. False, with nothing written, when it has ended already.
   */
  end(id: string, end: CallEnd, now: number): Promise<boolean>
  /** All calls of these executions at this place, the oldest first. */
  at(executionIds: readonly string[], place: CallSite): Promise<ProviderCall[]>
  /** All calls of an execution that have ended, in the order of their items and asks. */
  endedOf(executionId: string): Promise<ProviderCall[]>
  /** Open calls whose execution has ended and that have not changed since this time. Oldest first. */
  listOrphaned(before: number, rowsMax: number): Promise<ProviderCall[]>
  /**
   * Takes calls away that ended before this time, and their executions too, at most so many, and notes their blobs for
   * removal. Gives how many.
   */
  sweep(before: number, rowsMax: number, now: number): Promise<number>
  /** Which of these blobs have a row: one that names them, or that has not ended. */
  existing(blobKeys: readonly string[]): Promise<Set<string>>
  /** What calls of an account cost, by day (UTC), workflow, key, model: the rows that the store adds up as calls end. */
  usage(accountId: string, filter: UsageFilter): Promise<UsageRow[]>
  /** Spent and set aside in a month, as `2026-11`. */
  spentOf(accountId: string, month: string): Promise<{ spentMicros: Micros; reservedMicros: Micros }>
}

export interface UsageFilter {
  /** `2026-11-21`, the first and the last day. */
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
  /** Calls that ended on this day: `calls` with an answer, `failures` without one. */
  calls: number
  failures: number
  /** What counts as spent of the budgets: of those whose cost nobody knows, what was set aside. */
  costMicros: Micros
  /** Calls whose cost nobody knows, or is assumed. */
  unknownCosts: number
}
