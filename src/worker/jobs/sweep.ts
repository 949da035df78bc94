/**
 * Background jobs that remove old data: blobs without a record (of deleted records, and of processes that died between the two writes), and
 * records that are kept for a limited time. One process at a time starts a job. Two processes could do the same job at the same time without harm: no lock
 * is held while blobs are removed.
 */

import { setImmediate } from 'node:timers/promises'
import type { BackgroundJobStore } from '../../domain/background-job.ts'
import type { BatchStore } from '../../domain/batch.ts'
import { idOfBlobKey } from '../../domain/blob-key.ts'
import type { BlobRemovalStore } from '../../domain/blob-removal.ts'
import type { Clock } from '../../domain/clock.ts'
import type { ExecutionStore } from '../../domain/execution.ts'
import type { IdempotencyStore } from '../../domain/idempotency.ts'
import type { BlobStore } from '../../domain/image.ts'
import type { ProviderCallStore } from '../../domain/provider-call.ts'
import type { SessionStore } from '../../domain/session.ts'
import { limits } from '../../limits.ts'
import { idempotencyRetentionMs } from '../../services/idempotency.ts'
import { deleteOrphanedBlob } from '../../services/orphaned-blobs.ts'
import type { WebhookNotices } from '../../services/webhook-notices.ts'

export interface Sweep {
  /** Runs the jobs whose interval has passed, unless another process does. Returns how much each has removed. */
  run(signal?: AbortSignal): Promise<SweepResult>
}

export type SweepResult = Partial<Record<Job, number>>

const minuteMs = 60_000

/** Every job and its interval, in the order in which they run. */
const intervalsMs = {
  // Until they end, the money that is reserved for them is missing in the budgets.
  'orphaned-calls': minuteMs,
  'provider-calls': 60 * minuteMs,
  'blob-removals': 10 * minuteMs,
  // Reads the list of all blobs.
  'orphaned-blobs': 6 * 60 * minuteMs,
  // A run removes 200,000. One account can add 6,000 keys, and end some ten thousand deliveries, in a minute.
  'idempotency-keys': 10 * minuteMs,
  sessions: 60 * minuteMs,
  'step-checkpoints': 60 * minuteMs,
  'execution-events': 60 * minuteMs,
  // Rows of deleted batches and of replaced uploads.
  batches: minuteMs,
  'executions-daily': 60 * minuteMs,
  previews: 60 * minuteMs,
  'webhook-notices': minuteMs,
  'webhook-deliveries': 10 * minuteMs,
  'derived-files': 10 * minuteMs,
}
export type Job = keyof typeof intervalsMs
export const jobs = Object.keys(intervalsMs) as Job[]

/** The given blob keys that a record names. */
export type Owner = (keys: readonly string[]) => Promise<Set<string>>

/** For records whose id is in the blob key. */
export function ownerById(existing: (ids: readonly string[]) => Promise<Set<string>>): Owner {
  return async (keys) => {
    const ids = await existing(keys.map(idOfBlobKey))
    return new Set(keys.filter((key) => ids.has(idOfBlobKey(key))))
  }
}

interface Dependencies {
  blobs: BlobStore
  removals: BlobRemovalStore
  backgroundJobs: BackgroundJobStore
  idempotency: IdempotencyStore
  executions?: Pick<ExecutionStore, 'sweepEvents'>
  batches?: Pick<BatchStore, 'expire' | 'sweep'>
  sessions?: Pick<SessionStore, 'sweep'>
  checkpoints?: { sweep(rowsMax: number): Promise<number> }
  previews?: { sweep(rowsMax: number): Promise<number> }
  /** Removes files of delivery URLs of deleted workflows, and above the limit of their account. Returns how many. */
  evictDerivedFiles?(rowsMax: number, signal?: AbortSignal): Promise<number>
  providerCalls?: Pick<ProviderCallStore, 'sweep'>
  /** Ends calls that no execution waits for. Returns how many. */
  cancelOrphanedCalls?(rowsMax: number, signal?: AbortSignal): Promise<number>
  /** Adds up the executions of days that are over. Returns how many days. */
  closeDays?(daysMax: number, signal?: AbortSignal): Promise<number>
  webhooks?: Pick<WebhookNotices, 'send' | 'sweep'>
  /** By the prefix of blob keys. Blobs with other prefixes stay. */
  owners: Record<string, Owner>
  clock: Clock
  onError(error: unknown, job: Job): void
}

/** The most that a job does in one run; the next run continues. */
const removalsMax = 1_000
const keysMax = 10_000
const callsMax = 10_000
const executionsMax = 200_000
const daysMax = 1_000
const filesMax = 10_000
/** Each may need a request to its provider. */
const orphanedMax = 100
/** Blobs whose rows are looked up by one query. */
const blobsAtOnce = 500
const expiredMax = 100
const rowsMax = 200_000
const rowsAtOnce = 1_000
/** Changes whose events one statement removes. An execution can have thousands. */
const changesAtOnce = 2_000

/** Some stores round the times of blobs to the second. */
const roundedMs = 2_000

export function createSweep({
  blobs,
  removals,
  backgroundJobs,
  idempotency,
  executions,
  batches,
  sessions,
  checkpoints,
  previews,
  evictDerivedFiles,
  providerCalls,
  cancelOrphanedCalls,
  closeDays,
  webhooks,
  owners,
  clock,
  onError,
}: Dependencies): Sweep {
  async function finishRemovals(signal?: AbortSignal): Promise<number> {
    let done = 0
    const errors = createErrors()
    const keys = (await removals.list(removalsMax)).map(({ key }) => key)
    const named = await namedOf(keys)
    for (const key of keys) {
      if (signal?.aborted) break
      await errors.skip(async () => {
        // Two rows may have shared the blob, and one of them still names it.
        if (named.has(key)) await removals.done(key)
        else await deleteOrphanedBlob(key, blobs, removals)
        done += 1
      })
    }
    errors.throwFirst()
    return done
  }

  /**
   * A blob is committed moments before its row is written. A blob without a row that is older than the grace period has no owner: ids
   * are used once, so no row will name it. A blob that is older than the records stays: it may belong to another database, for example if DATABASE_URL names a
   * new one and the blobs are where they were.
   */
  async function removeOrphanedBlobs(signal?: AbortSignal): Promise<number> {
    const since = ((await backgroundJobs.recordsSince()) ?? Number.POSITIVE_INFINITY) - roundedMs
    const before = clock.now() - limits.blobGraceSeconds * 1_000
    let removed = 0
    const errors = createErrors()
    for await (const keys of inGroups(blobs.list(), since, before)) {
      const ours = keys.filter((key) => Object.hasOwn(owners, kindOf(key)))
      const named = await namedOf(ours)
      for (const key of ours) {
        if (named.has(key)) continue
        if (signal?.aborted || removed === removalsMax) return removed
        await errors.skip(async () => {
          if (await blobs.remove(key)) removed += 1
        })
      }
      if (signal?.aborted) break
    }
    errors.throwFirst()
    return removed
  }

  async function namedOf(keys: readonly string[]): Promise<Set<string>> {
    const named = Object.entries(owners).map(([kind, owner]) => owner(keys.filter((key) => kindOf(key) === kind)))
    return new Set((await Promise.all(named)).flatMap((keys) => [...keys]))
  }

  async function sweepCalls(signal?: AbortSignal): Promise<number> {
    let count = 0
    while (providerCalls && count < callsMax && !signal?.aborted) {
      const now = clock.now()
      const swept = await providerCalls.sweep(now - limits.providerCallSeconds * 1_000, callsMax - count, now)
      if (swept === 0) break
      count += swept
    }
    return count
  }

  /** Events are kept for as long as finished steps: until then, clients can resume a stream exactly. */
  async function sweepEvents(signal?: AbortSignal): Promise<number> {
    const endedBefore = clock.now() - limits.executionEventsKeptSeconds * 1_000
    let count = 0
    while (executions && count < executionsMax && !signal?.aborted) {
      const swept = await executions.sweepEvents(endedBefore, changesAtOnce)
      count += swept.executions
      if (swept.changes < changesAtOnce) break
      // SQLite runs a statement without waiting: requests have their turn between two statements.
      await setImmediate()
    }
    return count
  }

  async function sweepBatches(signal?: AbortSignal): Promise<number> {
    if (batches === undefined) return 0
    const now = clock.now()
    let count = await batches.expire(now - limits.batchKeptSeconds * 1_000, expiredMax, now)
    for (let left = rowsMax; left > 0 && !signal?.aborted; ) {
      const swept = await batches.sweep(rowsAtOnce, now)
      if (swept === undefined) break
      count += swept
      left -= swept
      await setImmediate()
    }
    return count
  }

  /** SQLite runs a statement without waiting: requests have their turn between two parts. */
  async function inParts(sweepSome: (rowsMax: number) => Promise<number>, signal?: AbortSignal): Promise<number> {
    for (let count = 0; ; await setImmediate()) {
      const swept = await sweepSome(rowsAtOnce)
      count += swept
      if (swept < rowsAtOnce || count >= rowsMax || signal?.aborted) return count
    }
  }

  const work: Record<Job, (signal?: AbortSignal) => Promise<number>> = {
    'orphaned-calls': async (signal) => cancelOrphanedCalls?.(orphanedMax, signal) ?? 0,
    'provider-calls': sweepCalls,
    'blob-removals': finishRemovals,
    'orphaned-blobs': removeOrphanedBlobs,
    'idempotency-keys': (signal) =>
      inParts((max) => idempotency.sweep(clock.now() - idempotencyRetentionMs, max), signal),
    sessions: async () => sessions?.sweep(clock.now(), keysMax) ?? 0,
    'step-checkpoints': async () => checkpoints?.sweep(keysMax) ?? 0,
    'execution-events': sweepEvents,
    batches: sweepBatches,
    'executions-daily': async (signal) => closeDays?.(daysMax, signal) ?? 0,
    previews: async () => previews?.sweep(keysMax) ?? 0,
    'webhook-notices': async () => webhooks?.send() ?? 0,
    'webhook-deliveries': (signal) => inParts(async (max) => webhooks?.sweep(max) ?? 0, signal),
    'derived-files': async (signal) => evictDerivedFiles?.(filesMax, signal) ?? 0,
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

/** After this number of errors the store itself doesn't work, and the job ends. */
const errorsMax = 10

/** A blob that cannot be removed does not keep a job from the others: its error is thrown at the end. */
function createErrors() {
  const met: unknown[] = []
  return {
    async skip(work: () => Promise<void>): Promise<void> {
      try {
        await work()
      } catch (error) {
        if (met.push(error) === errorsMax) throw error
      }
    },
    throwFirst(): void {
      if (met.length > 0) throw met[0]
    },
  }
}

/** `img` of `img_<...>.png`. */
function kindOf(key: string): string {
  return key.slice(0, key.indexOf('_'))
}

/** Keys of blobs that were written between two times, in groups. */
async function* inGroups(all: ReturnType<BlobStore['list']>, since: number, before: number): AsyncGenerator<string[]> {
  let keys: string[] = []
  for await (const { key, modifiedAt } of all) {
    if (modifiedAt < since || modifiedAt >= before) continue
    keys.push(key)
    if (keys.length < blobsAtOnce) continue
    yield keys
    keys = []
  }
  if (keys.length > 0) yield keys
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
