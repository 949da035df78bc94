/** A dry run of some rows: the cost and the duration of a batch, estimated. */
import type { Account } from '../../domain/accounts/account.ts'
import { runningMax } from '../../domain/accounts/plan.ts'
import type { BatchState, BatchStore } from '../../domain/batches/batch.ts'
import type { BatchItemStore } from '../../domain/batches/batch-item.ts'
import type { Clock } from '../../domain/clock.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import type { CostRange, Models } from '../../domain/models/model.ts'
import { nextPause } from '../../domain/pauses.ts'
import { estimateCost } from '../../engine/cache/estimate-cost.ts'
import { predictCacheHits } from '../../engine/cache/predict-cache-hits.ts'
import { limits } from '../../limits.ts'
import type { Estimates } from '../executions/estimates.ts'
import type { RequestParameters } from '../executions/request-parameters.ts'
import type { StepReuseFor } from '../results/step-reuse.ts'
import { forRequest, type VersionCache } from '../workflows/version-cache.ts'

export interface BatchEstimate {
  /** Rows that have not ended. */
  rows: number
  /** Rows that were planned for it. */
  sampledRows: number
  /** Cost of all rows, from those that were sampled. Null if a price is unknown. */
  cost: CostRange | null
  /** Milliseconds from the start to the end if nothing else runs. Null if an operation has not run yet. */
  expectedDuration: number | null
}

/** One at a time for each account. Rejects with the reason of the signal. */
export type EstimateBatch = (
  account: EstimatedAccount,
  batch: BatchState,
  signal: AbortSignal,
) => Promise<BatchEstimate>

type EstimatedAccount = Pick<Account, 'id' | 'plan'>

interface Dependencies {
  batches: Pick<BatchStore, 'countWorkers'>
  items: Pick<BatchItemStore, 'pick'>
  versionCache: Pick<VersionCache, 'get'>
  requestParameters: Pick<RequestParameters, 'plan'>
  stepReuse: StepReuseFor
  estimates: Estimates
  modelsOf(accountId: string): Models
  /** Executions that one worker runs at the same time. */
  slots: number
  clock: Clock
}

export function createBatchEstimates(dependencies: Dependencies): EstimateBatch {
  const { batches, items, versionCache, requestParameters, stepReuse, estimates, modelsOf, slots, clock } = dependencies
  const queue = createFairQueue({ perAccount: 1 })

  async function estimateOf(account: EstimatedAccount, batch: BatchState, signal: AbortSignal): Promise<BatchEstimate> {
    const rows = batch.counts.pending + batch.counts.running
    const workflow = await forRequest(versionCache.get(batch))
    const reuse = await stepReuse(account.id, undefined)
    let cost: CostRange | null = { minMicros: 0, maxMicros: 0 }
    const durations: (number | null)[] = []
    const estimate = await estimates.estimator(account.id)
    for await (const { parameters } of flat(items.pick(batch, evenlySpaced(batch.total, limits.batchSampleRows)))) {
      await nextPause()
      signal.throwIfAborted()
      const { plan } = await requestParameters.plan(
        { accountId: account.id },
        workflow,
        { ...batch.defaults, ...parameters },
        { brand: batch.brand },
      )
      // An image may have been deleted since the upload.
      if (plan === undefined) continue
      const cached = await predictCacheHits(plan, reuse)
      const { total } = await estimateCost(plan, cached, modelsOf(account.id))
      cost = cost &&
        total && { minMicros: cost.minMicros + total.minMicros, maxMicros: cost.maxMicros + total.maxMicros }
      durations.push(estimate(plan, cached).duration)
    }
    const sampledRows = durations.length
    const factor = sampledRows === 0 ? 0 : rows / sampledRows
    const atOnce = Math.min(slots * Math.max(1, await batches.countWorkers(clock.now())), runningMax(account))
    const duration = durations.includes(null) ? null : durations.reduce<number>((sum, ms) => sum + Number(ms), 0)
    return {
      rows,
      sampledRows,
      cost: cost && { minMicros: Math.round(cost.minMicros * factor), maxMicros: Math.round(cost.maxMicros * factor) },
      expectedDuration: duration === null || atOnce === 0 ? null : Math.round((duration * factor) / atOnce),
    }
  }

  return (account, batch, signal) =>
    queue.run({ account: account.id, signal }, () => estimateOf(account, batch, signal))
}

async function* flat<Item>(parts: AsyncIterable<Item[]>): AsyncGenerator<Item, void> {
  for await (const part of parts) yield* part
}

/** Evenly spaced numbers from 1 to `total`, at most `countMax`. */
export function evenlySpaced(total: number, countMax: number): number[] {
  const count = Math.min(total, countMax)
  return Array.from({ length: count }, (_, i) => 1 + Math.floor((i * total) / count))
}
