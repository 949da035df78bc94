/**
 * What is left behind: bytes whose row is gone, bytes that never got a row because a process died between the two, old
 * idempotency keys and sessions, calls of providers that nobody waits for any more. Each is a chore that one process at a time begins, and that two could do at once without harm: no
 * lock is held while bytes are removed.
 */
import { idOfBlobKey } from '../../domain/blob-key.ts'
import type { BlobRemovalStore, ChoreStore } from '../../domain/blob-removal.ts'
import type { Clock } from '../../domain/clock.ts'
import type { IdempotencyStore } from '../../domain/idempotency.ts'
import type { BlobStore } from '../../domain/image.ts'
import type { ProviderCallStore } from '../../domain/provider-call.ts'
import type { SessionStore } from '../../domain/session.ts'
import { limits } from '../../limits.ts'
import { idempotencyKeptMs } from '../../services/idempotency.ts'
import { removeVacated } from '../../services/orphaned-blobs.ts'

export interface Sweep {
  /** Does the chores whose time has come, unless another process does. Tells how much each has removed. */
  run(signal?: AbortSignal): Promise<SweepResult>
}

export type SweepResult = Partial<Record<Chore, number>>

export const chores = [
  'orphaned-calls',
  'provider-calls',
  'removed-blobs',
  'unnamed-blobs',
  'idempotency-keys',
  'sessions',
  'kept-steps',
  'closed-days',
  'previews',
] as const
export type Chore = (typeof chores)[number]

/** Which of these blobs a row names. */
export type Owner = (keys: readonly string[]) => Promise<Set<string>>

/** Where the row's id is in the key. */
export function ownerById(existing: (ids: readonly string[]) => Promise<Set<string>>): Owner {
  return async (keys) => {
    const ids = await existing(keys.map(idOfBlobKey))
    return new Set(keys.filter((key) => ids.has(idOfBlobKey(key))))
  }
}

interface Dependencies {
  blobs: BlobStore
  removals: BlobRemovalStore
  chores: ChoreStore
  idempotency: IdempotencyStore
  /** Takes those away that have ended. */
  sessions?: Pick<SessionStore, 'sweep'>
  checkpoints?: { sweep(rowsMax: number): Promise<number> }
  previews?: { sweep(rowsMax: number): Promise<number> }
  /** Takes old calls away. */
  providerCalls?: Pick<ProviderCallStore, 'sweep'>
  /** Ends calls that nobody waits for; gives how many. */
  cancelOrphanedCalls?(rowsMax: number, signal?: AbortSignal): Promise<number>
  /** Adds up days that are over; gives how many. */
  closeDays?(daysMax: number, signal?: AbortSignal): Promise<number>
  /** By how keys begin. Blobs of other kinds are left alone. */
  owners: Record<string, Owner>
  clock: Clock
  onError(error: unknown, chore: Chore): void
}

/** What a chore does at most in one run; the rest waits for the next. */
const removalsMax = 1_000
const keysMax = 10_000
const callsMax = 10_000
const daysMax = 1_000
/** Each may have to be asked about. */
const orphanedMax = 100
/** Blobs whose rows are asked for by one query. */
const batchBlobs = 500

/** Stores round the times of blobs: some to the second. */
const roundedMs = 2_000

const minuteMs = 60_000
const everyMs: Record<Chore, number> = {
  // What was set aside for them is missing in the budgets meanwhile.
  'orphaned-calls': minuteMs,
  'provider-calls': 60 * minuteMs,
  'removed-blobs': 10 * minuteMs,
  // Goes through all blobs.
  'unnamed-blobs': 6 * 60 * minuteMs,
  'idempotency-keys': 60 * minuteMs,
  sessions: 60 * minuteMs,
  'kept-steps': 60 * minuteMs,
  'closed-days': 60 * minuteMs,
  previews: 60 * minuteMs,
}

export function createSweep({
  blobs,
  removals,
  idempotency,
  sessions,
  checkpoints,
  previews,
  providerCalls,
  cancelOrphanedCalls,
  closeDays,
  owners,
  clock,
  onError,
  ...stores
}: Dependencies): Sweep {
  async function finishRemovals(signal?: AbortSignal): Promise<number> {
    let done = 0
    const troubles = createTroubles()
    const keys = (await removals.list(removalsMax)).map(({ key }) => key)
    const named = await namedOf(keys)
    for (const key of keys) {
      if (signal?.aborted) break
      await troubles.past(async () => {
        // Two rows may have shared it: the one that is left still names it.
        if (named.has(key)) await removals.done(key)
        else await removeVacated(key, blobs, removals)
        done += 1
      })
    }
    troubles.tell()
    return done
  }

  /**
   * A blob is committed moments before its row is written. One without a row that is older than the grace is nobody's: ids
   * are used once, so none will come that names it. One that is older than the records is left: it is of other records, as
   * where DATABASE_URL names a new database and the bytes are where they were.
   */
  async function removeUnnamed(signal?: AbortSignal): Promise<number> {
    const since = ((await stores.chores.recordsSince()) ?? Number.POSITIVE_INFINITY) - roundedMs
    const before = clock.now() - limits.blobGraceSeconds * 1_000
    let removed = 0
    const troubles = createTroubles()
    for await (const keys of batches(blobs.list(), since, before)) {
      const ours = keys.filter((key) => Object.hasOwn(owners, kindOf(key)))
      const named = await namedOf(ours)
      for (const key of ours) {
        if (named.has(key)) continue
        if (signal?.aborted || removed === removalsMax) return removed
        await troubles.past(async () => {
          if (await blobs.remove(key)) removed += 1
        })
      }
      if (signal?.aborted) break
    }
    troubles.tell()
    return removed
  }

  async function namedOf(keys: readonly string[]): Promise<Set<string>> {
    const named = Object.entries(owners).map(([kind, owner]) => owner(keys.filter((key) => kindOf(key) === kind)))
    return new Set((await Promise.all(named)).flatMap((each) => [...each]))
  }

  async function sweepCalls(signal?: AbortSignal): Promise<number> {
    let count = 0
    while (providerCalls && count < callsMax && !signal?.aborted) {
      const now = clock.now()
      const swept = await providerCalls.sweep(now - limits.providerCallKeptSeconds * 1_000, callsMax - count, now)
      if (swept === 0) break
      count += swept
    }
    return count
  }

  const work: Record<Chore, (signal?: AbortSignal) => Promise<number>> = {
    'orphaned-calls': async (signal) => cancelOrphanedCalls?.(orphanedMax, signal) ?? 0,
    'provider-calls': sweepCalls,
    'removed-blobs': finishRemovals,
    'unnamed-blobs': removeUnnamed,
    'idempotency-keys': () => idempotency.sweep(clock.now() - idempotencyKeptMs, keysMax),
    sessions: async () => sessions?.sweep(clock.now(), keysMax) ?? 0,
    'kept-steps': async () => checkpoints?.sweep(keysMax) ?? 0,
    'closed-days': async (signal) => closeDays?.(daysMax, signal) ?? 0,
    previews: async () => previews?.sweep(keysMax) ?? 0,
  }

  return {
    async run(signal) {
      const result: SweepResult = {}
      for (const chore of chores) {
        if (signal?.aborted) break
        try {
          if (await stores.chores.begin(chore, clock.now(), everyMs[chore])) result[chore] = await work[chore](signal)
        } catch (error) {
          onError(error, chore)
        }
      }
      return result
    },
  }
}

/** So many in one run, and the store itself is away. */
const troublesMax = 10

/** One blob that cannot be removed is in the way of no other: what it met is told at the end. */
function createTroubles() {
  const met: unknown[] = []
  return {
    async past(work: () => Promise<void>): Promise<void> {
      try {
        await work()
      } catch (error) {
        if (met.push(error) === troublesMax) throw error
      }
    },
    tell(): void {
      if (met.length > 0) throw met[0]
    },
  }
}

/** `img` of `img_<...>.png`. */
function kindOf(key: string): string {
  return key.slice(0, key.indexOf('_'))
}

/** Keys of blobs that were written between two times. */
async function* batches(all: ReturnType<BlobStore['list']>, since: number, before: number): AsyncGenerator<string[]> {
  let keys: string[] = []
  for await (const { key, modifiedAt } of all) {
    if (modifiedAt < since || modifiedAt >= before) continue
    keys.push(key)
    if (keys.length < batchBlobs) continue
    yield keys
    keys = []
  }
  if (keys.length > 0) yield keys
}

const firstMs = minuteMs
const againMs = minuteMs

/** Sweeps a minute after the start, and looks every minute whether a chore's time has come. */
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
