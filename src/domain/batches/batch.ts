/** Executions of one workflow version for many rows of parameters. */

import type { UsedBrandValues } from '../accounts/brand.ts'
import type { NewIdempotencyRecord } from '../idempotency.ts'
import type { Micros } from '../models/model.ts'
import type { CountedPageOfLong, PageRequest } from '../page.ts'
import type { BatchCounts } from './batch-item.ts'

/**
 * created -> running -> completed or cancelled; running <-> paused; completed -> running if failed rows are retried. Rows are uploaded
 * while it is `created`.
 */
export const batchStatuses = ['created', 'running', 'paused', 'completed', 'cancelled'] as const
export type BatchStatus = (typeof batchStatuses)[number]

export const pauseReasons = ['requested', 'budget', 'storage', 'quota', 'suspended'] as const
export type PauseReason = (typeof pauseReasons)[number]

export interface Batch {
  id: string
  accountId: string
  workflowId: string
  /** Version that all rows run. */
  workflowVersion: number
  name: string
  /** Parameters of every row that doesn't have its own value. */
  defaults: Record<string, unknown>
  /** Brand values of all rows, as they were when the batch was created. Undefined if the workflow reads none. */
  brand?: UsedBrandValues
  status: BatchStatus
  /** Set while it is paused. */
  pauseReason: PauseReason | null
  /** The most that its model calls may cost together. */
  maxCostMicros: Micros | null
  /** Receives `batch.completed`. */
  webhookUrl: string | null
  /** The API key that created it. Its executions count for this key. */
  keyId: string | null
  /** The request that created it, as `traceparent`. Undefined without traces. */
  traceparent?: string
  /** The number of uploaded rows. */
  total: number
  createdAt: number
  startedAt: number | null
  completedAt: number | null
}

/** A batch as it is now. */
export interface BatchState extends Batch {
  counts: BatchCounts
  /** Rows are being uploaded, by a process that was alive a moment ago. */
  isUploading: boolean
  /** The number of the upload that its rows come from. 0: none. */
  upload: number
  /** Cost of the model calls; undefined if there were none. */
  cost?: { costMicros: Micros; unknownCosts: number }
  /** When it started or continued last, and how many rows had ended then: for the rate. */
  runStartedAt: number | null
  runEndedBefore: number
}

export interface BatchFilter {
  status?: BatchStatus | undefined
  workflowId?: string | undefined
}

export interface BatchStore {
  /** Throws `QuotaReached` if the account has the maximum of batches. With `record`: see `KeyTaken`. */
  create(batch: Batch, record?: NewIdempotencyRecord): Promise<void>
  find(accountId: string, id: string, now: number): Promise<BatchState | undefined>
  /** Lists batches; those in `longIds` have no defaults and brand values, which `find` reads. */
  list(accountId: string, page: PageRequest, filter: BatchFilter, now: number): Promise<CountedPageOfLong<BatchState>>
  /** False if the account has no such batch. */
  update(accountId: string, id: string, change: Partial<Pick<Batch, 'name' | 'maxCostMicros'>>): Promise<boolean>
  /**
   * Changes the status if it is one of `from`: of several callers at the same time, one. False if it isn't, if the batch has no rows, or if they are
   * being uploaded. Throws `QuotaReached` if too many others of its account run.
   */
  changeStatus(
    accountId: string,
    id: string,
    from: readonly BatchStatus[],
    change: { status: BatchStatus; pauseReason?: PauseReason; at: number },
  ): Promise<boolean>
  /** Hides it. The background jobs remove its rows. False if it runs, is paused or is being uploaded. */
  remove(accountId: string, id: string, now: number): Promise<boolean>

  /** Batches that have something to do, the oldest first. */
  listActive(batchesMax: number, now: number): Promise<BatchState[]>
  /** Whether this process may run the batch until `until`: no other process does. */
  claim(id: string, runner: string, times: { now: number; until: number }): Promise<boolean>
  /** Other processes may run the batches of this runner immediately. */
  releaseAll(runner: string): Promise<void>
  /** The ids of its executions that have not ended. */
  openExecutions(id: string, executionsMax: number): Promise<string[]>
  /** Ends a running batch. False if it doesn't run, or if some of its rows have not ended. */
  complete(batch: Pick<BatchState, 'id' | 'upload'>, completedAt: number): Promise<boolean>
  /** A cancelled batch has nothing left to do. */
  settle(id: string): Promise<void>
  /** The number of workers that are alive, if several processes run executions; else 0. */
  countWorkers(now: number): Promise<number>
  /** The limit of model calls of an execution of this batch. */
  maxCostOf(id: string): Promise<Micros | null>

  /** Hides batches that ended before this time, and batches that were created before it and never started. Returns how many. */
  expire(before: number, batchesMax: number, now: number): Promise<number>
  /** Notes which batches have no rows of replaced and abandoned uploads any more. */
  settleLeftovers(now: number): Promise<void>
}
