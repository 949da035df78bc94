/**
 * Background jobs: the retention of records, blobs without a record (of deleted records, and of processes that died between the two writes), and other
 * work that no request causes. One process at a time starts a job. Two processes could do the same job at the same time without harm: no lock is held
 * while blobs are removed.
 */

import type { BackgroundJobStore } from '../../domain/background-job.ts'
import type { BatchStore } from '../../domain/batches/batch.ts'
import type { BlobRemovalStore } from '../../domain/blob-removal.ts'
import type { Clock } from '../../domain/clock.ts'
import type { BlobStore } from '../../domain/images/image.ts'
import type { Retention } from '../../domain/retention.ts'
import { limits } from '../../limits.ts'
import type { WebhookNotices } from '../../services/webhooks/webhook-notices.ts'
import { createBlobJobs, type Owner } from './blobs.ts'

export interface Sweep {
  /** Runs the jobs whose interval has passed, unless another process does. Returns how much each has removed. */
  run(signal?: AbortSignal): Promise<SweepResult>
}

type RemoveRows = (rowsMax: number, signal?: AbortSignal) => Promise<number>

export type SweepResult = Record<string, number>

const minuteMs = 60_000

interface Dependencies {
  blobs: BlobStore
  removals: BlobRemovalStore
  backgroundJobs: BackgroundJobStore
  retention: Pick<Retention, 'jobs' | 'sweep'>
  batches?: Pick<BatchStore, 'expire' | 'settleLeftovers'>
  /** Ends calls that no execution waits for. Returns how many. */
  cancelOrphanedCalls?(rowsMax: number, signal?: AbortSignal): Promise<number>
  /** Adds up the executions of days that are over. Returns how many days. */
  closeDays?(daysMax: number, signal?: AbortSignal): Promise<number>
  webhooks?: Pick<WebhookNotices, 'send'>
  /** Fails the executions of accounts without API access. Returns how many. */
  stopExecutions?(): Promise<number>
  /** Continue deletions that were interrupted. Return the number of rows. */
  removeAccounts?: RemoveRows
  removeProjects?: RemoveRows
  /** Owners by the prefix of blob keys. Blobs with other prefixes stay. */
  owners: Record<string, Owner>
  clock: Clock
  onError(error: unknown, job: string): void
}

/**
 * The most that a job does in one run; the next run continues. One account can add 6,000 idempotency keys, or end some ten thousand deliveries, in a
 * minute, and most jobs run every ten minutes.
 */
const rowsMax = 200_000
const daysMax = 1_000
/** Each may need a request to its provider. */
const orphanedCallsMax = 100
const batchesMax = 100
const blobsAtOnce = 1_000

/** The jobs that are not of the retention, and their intervals. */
const intervalsMs = {
  // Until they end, the money that is reserved for them is missing in the budgets.
  'orphaned-calls': minuteMs,
  'executions-daily': 60 * minuteMs,
  batches: minuteMs,
  'webhook-notices': minuteMs,
  'stopped-executions': minuteMs,
  'deleted-accounts': minuteMs,
  'deleted-projects': minuteMs,
  // Reads the list of all blobs. Notes those without a row, for the next job.
  'orphaned-blobs': 6 * 60 * minuteMs,
  'blob-removals': 10 * minuteMs,
}
type OwnJob = keyof typeof intervalsMs

/** The names of all jobs, in the order in which they run: records are removed before their blobs. */
export function jobNames(ofRetention: readonly string[]): string[] {
  const own = Object.keys(intervalsMs)
  return [...own.slice(0, -2), ...ofRetention, ...own.slice(-2)]
}

export function createSweep(dependencies: Dependencies): Sweep {
  const { backgroundJobs, retention, batches, cancelOrphanedCalls, closeDays, webhooks, clock, onError } = dependencies
  const blobJobs = createBlobJobs(dependencies)

  async function hideOldBatches(): Promise<number> {
    if (batches === undefined) return 0
    const now = clock.now()
    await batches.settleLeftovers(now)
    return batches.expire(now - limits.batchKeptSeconds * 1_000, batchesMax, now)
  }

  const ownWork: Record<OwnJob, (signal?: AbortSignal) => Promise<number>> = {
    'orphaned-calls': async (signal) => cancelOrphanedCalls?.(orphanedCallsMax, signal) ?? 0,
    'executions-daily': async (signal) => closeDays?.(daysMax, signal) ?? 0,
    batches: hideOldBatches,
    'webhook-notices': async () => webhooks?.send() ?? 0,
    'stopped-executions': async () => dependencies.stopExecutions?.() ?? 0,
    'deleted-accounts': async (signal) => dependencies.removeAccounts?.(rowsMax, signal) ?? 0,
    'deleted-projects': async (signal) => dependencies.removeProjects?.(rowsMax, signal) ?? 0,
    'orphaned-blobs': blobJobs.noteOrphaned,
    'blob-removals': (signal) => blobJobs.finishRemovals(inParts, signal),
  }
  const names = jobNames(retention.jobs.map(({ name }) => name))
  const everyMs = new Map([
    ...Object.entries(intervalsMs),
    ...retention.jobs.map((job) => [job.name, job.everyMs] as const),
  ])
  const isOwn = (name: string): name is OwnJob => Object.hasOwn(ownWork, name)

  return {
    async run(signal) {
      const result: SweepResult = {}
      for (const name of names) {
        if (signal?.aborted) break
        try {
          if (!(await backgroundJobs.start(name, clock.now(), everyMs.get(name) ?? minuteMs))) continue
          result[name] = isOwn(name) ? await ownWork[name](signal) : await retention.sweep(name, { rowsMax, signal })
        } catch (error) {
          onError(error, name)
        }
      }
      return result
    },
  }
}

/** Removes one part after another, until there is none, and up to `rowsMax`. */
async function inParts(removeSome: (max: number) => Promise<number>, signal: AbortSignal): Promise<number> {
  for (let count = 0; ; ) {
    const removed = await removeSome(blobsAtOnce)
    count += removed
    if (removed === 0 || count >= rowsMax || signal.aborted) return count
  }
}

const firstMs = minuteMs
const againMs = minuteMs

/** Runs a minute after the start and then every minute. Each job runs at its own interval. */
export function startSweeping(sweep: Sweep, onDone: (result: SweepResult) => void): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let timer = setTimeout(next, firstMs)
  timer.unref()

  function next(): void {
    running = sweep.run(stopping.signal).then((result) => {
      onDone(result)
      if (stopping.signal.aborted) return
      timer = setTimeout(next, againMs)
      timer.unref()
    })
  }

  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}
