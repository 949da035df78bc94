/**
 * Background jobs that remove old data: blobs without a record (of deleted records, and of processes that died between the two writes), and
 * records that are kept for a limited time. One process at a time starts a job. Two processes could do the same job at the same time without harm: no lock
 * is held while blobs are removed.
 */

import type { EndedKeyStore } from '../../domain/accounts/key.ts'
import type { SessionStore } from '../../domain/accounts/session.ts'
import type { BackgroundJobStore } from '../../domain/background-job.ts'
import type { BatchStore } from '../../domain/batches/batch.ts'
import type { BlobRemovalStore } from '../../domain/blob-removal.ts'
import type { Clock } from '../../domain/clock.ts'
import type { ExecutionStore } from '../../domain/executions/execution.ts'
import type { IdempotencyStore } from '../../domain/idempotency.ts'
import type { BlobStore } from '../../domain/images/image.ts'
import type { ProviderCallStore } from '../../domain/models/provider-call.ts'
import type { ChannelStore } from '../../domain/workflows/channel.ts'
import { limits } from '../../limits.ts'
import { idempotencyRetentionMs } from '../../services/idempotency.ts'
import type { WebhookNotices } from '../../services/webhooks/webhook-notices.ts'
import { createBatchSweep } from './batch-sweep.ts'
import { createBlobJobs, type Owner } from './blobs.ts'
import { createKeySweep } from './key-sweep.ts'

export interface Sweep {
  /** Runs the jobs whose interval has passed, unless another process does. Returns how much each has removed. */
  run(signal?: AbortSignal): Promise<SweepResult>
}

export type SweepResult = Partial<Record<Job, number>>

const minuteMs = 60_000

/**
 * Every job and its interval, in the order in which they run. One account can add 6,000 idempotency keys, or end some ten thousand deliveries, in a
 * minute: a run removes up to 200,000 rows, and most run every ten minutes.
 */
const intervalsMs = {
  // Until they end, the money that is reserved for them is missing in the budgets.
  'orphaned-calls': minuteMs,
  'provider-calls': 10 * minuteMs,
  // Reads the list of all blobs. Notes those without a row, for the next job.
  'orphaned-blobs': 6 * 60 * minuteMs,
  'blob-removals': 10 * minuteMs,
  'idempotency-keys': 10 * minuteMs,
  sessions: 10 * minuteMs,
  'ended-keys': 60 * minuteMs,
  'step-checkpoints': 10 * minuteMs,
  'execution-events': 60 * minuteMs,
  // Rows of deleted batches and of replaced uploads.
  batches: minuteMs,
  // Of deleted workflows.
  'channel-moves': 10 * minuteMs,
  'executions-daily': 60 * minuteMs,
  executions: 60 * minuteMs,
  previews: 10 * minuteMs,
  'webhook-notices': minuteMs,
  'webhook-deliveries': 10 * minuteMs,
  'derived-files': 10 * minuteMs,
}
export type Job = keyof typeof intervalsMs
export const jobs = Object.keys(intervalsMs) as Job[]

interface Dependencies {
  blobs: BlobStore
  removals: BlobRemovalStore
  backgroundJobs: BackgroundJobStore
  idempotency: IdempotencyStore
  executions?: Pick<ExecutionStore, 'sweepEvents'>
  batches?: Pick<BatchStore, 'expire' | 'nextLeftover' | 'sweep'>
  sessions?: Pick<SessionStore, 'sweep'>
  /** Stores of API keys, and of signing keys. */
  keys?: readonly EndedKeyStore[]
  channels?: Pick<ChannelStore, 'sweep'>
  checkpoints?: { sweep(rowsMax: number): Promise<number> }
  previews?: { sweep(rowsMax: number): Promise<number> }
  /** Removes files of delivery URLs of deleted workflows, and above the limit of their account. Returns how many. */
  evictDerivedFiles?(rowsMax: number, signal?: AbortSignal): Promise<number>
  providerCalls?: Pick<ProviderCallStore, 'sweep'>
  /** Ends calls that no execution waits for. Returns how many. */
  cancelOrphanedCalls?(rowsMax: number, signal?: AbortSignal): Promise<number>
  /** Adds up the executions of days that are over. Returns how many days. */
  closeDays?(daysMax: number, signal?: AbortSignal): Promise<number>
  /** Removes executions that ended some time ago. Returns how many. Without it, they are kept. */
  sweepExecutions?(rowsMax: number, signal?: AbortSignal): Promise<number>
  webhooks?: Pick<WebhookNotices, 'send' | 'sweep'>
  /** Owners by the prefix of blob keys. Blobs with other prefixes stay. */
  owners: Record<string, Owner>
  clock: Clock
  onError(error: unknown, job: Job): void
}

/** The most that a job does in one run; the next run continues. */
const rowsMax = 200_000
const daysMax = 1_000
/** Each may need a request to its provider. */
const orphanedCallsMax = 100
/** Rows that one statement removes. */
const rowsAtOnce = 1_000
/** A stored response can have half a megabyte. */
const responsesAtOnce = 100
/** Changes whose events one statement removes. An execution can have thousands. */
const changesAtOnce = 2_000

export function createSweep({
  blobs,
  removals,
  backgroundJobs,
  idempotency,
  executions,
  batches,
  sessions,
  keys = [],
  channels,
  checkpoints,
  previews,
  evictDerivedFiles,
  providerCalls,
  cancelOrphanedCalls,
  closeDays,
  sweepExecutions,
  webhooks,
  owners,
  clock,
  onError,
}: Dependencies): Sweep {
  const sweepBatches = batches && createBatchSweep({ batches, clock })
  const sweepKeys = createKeySweep({ stores: keys, clock })
  const blobJobs = createBlobJobs({ blobs, removals, backgroundJobs, owners, clock })

  /** Events are kept for as long as finished steps: until then, clients can resume a stream exactly. */
  async function sweepEvents(signal?: AbortSignal): Promise<number> {
    if (executions === undefined) return 0
    const endedBefore = clock.now() - limits.executionEventsKeptSeconds * 1_000
    const sweepSome = async () => {
      const swept = await executions.sweepEvents(endedBefore, changesAtOnce)
      return swept.changes === 0 ? undefined : swept.executions
    }
    return untilEmpty(sweepSome, signal)
  }

  /** A job for stores that return how many rows they have removed, at most the given number. */
  const inParts = (
    sweepSome: (rowsMax: number) => Promise<number> | undefined,
    signal?: AbortSignal,
    rows = rowsAtOnce,
  ) => untilEmpty(async () => (await sweepSome(rows)) || undefined, signal)

  const work: Record<Job, (signal?: AbortSignal) => Promise<number>> = {
    'orphaned-calls': async (signal) => cancelOrphanedCalls?.(orphanedCallsMax, signal) ?? 0,
    'provider-calls': (signal) =>
      inParts(
        (max) => providerCalls?.sweep(clock.now() - limits.providerCallSeconds * 1_000, max, clock.now()),
        signal,
      ),
    'orphaned-blobs': blobJobs.noteOrphaned,
    'blob-removals': (signal) => blobJobs.finishRemovals(inParts, signal),
    'idempotency-keys': (signal) =>
      inParts((max) => idempotency.sweep(clock.now() - idempotencyRetentionMs, max), signal, responsesAtOnce),
    sessions: (signal) => inParts((max) => sessions?.sweep(clock.now(), max), signal),
    'ended-keys': (signal) => sweepKeys(rowsMax, signal),
    'step-checkpoints': (signal) => inParts((max) => checkpoints?.sweep(max), signal),
    'execution-events': sweepEvents,
    batches: async (signal) => sweepBatches?.(rowsMax, signal) ?? 0,
    'channel-moves': (signal) => untilEmpty(async () => channels?.sweep(rowsAtOnce), signal),
    'executions-daily': async (signal) => closeDays?.(daysMax, signal) ?? 0,
    executions: async (signal) => sweepExecutions?.(rowsMax, signal) ?? 0,
    previews: (signal) => inParts((max) => previews?.sweep(max), signal),
    'webhook-notices': async () => webhooks?.send() ?? 0,
    'webhook-deliveries': async (signal) => webhooks?.sweep(rowsMax, signal) ?? 0,
    'derived-files': async (signal) => evictDerivedFiles?.(rowsMax, signal) ?? 0,
  }

  return {
    async run(signal) {
      const result: SweepResult = {}
      for (const job of jobs) {
        if (signal?.aborted) break
        try {
          if (await backgroundJobs.start(job, clock.now(), intervalsMs[job])) result[job] = await work[job](signal)
        } catch (error) {
          onError(error, job)
        }
      }
      return result
    },
  }
}

/**
 * Sweeps one part after another, until there is none (undefined), and up to `rowsMax`.
 */
async function untilEmpty(sweepSome: () => Promise<number | undefined>, signal?: AbortSignal): Promise<number> {
  for (let count = 0; ; ) {
    const swept = await sweepSome()
    count += swept ?? 0
    if (swept === undefined || count >= rowsMax || signal?.aborted) return count
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
