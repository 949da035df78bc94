/** Background jobs that remove blobs without a row: of deleted records, and of processes that died between the two writes. */
import type { BackgroundJobStore } from '../../domain/background-job.ts'
import { idOfBlobKey } from '../../domain/blob-key.ts'
import type { BlobRemovalStore } from '../../domain/blob-removal.ts'
import type { Clock } from '../../domain/clock.ts'
import type { BlobStore } from '../../domain/images/image.ts'
import { limits } from '../../limits.ts'
import { deleteOrphanedBlob } from '../../services/images/orphaned-blobs.ts'

/** The given blob keys that a record names. */
export type Owner = (keys: readonly string[]) => Promise<Set<string>>

/** Owner of records whose id is in the blob key. */
export function ownerById(existing: (ids: readonly string[]) => Promise<Set<string>>): Owner {
  return async (keys) => {
    const ids = await existing(keys.map(idOfBlobKey))
    return new Set(keys.filter((key) => ids.has(idOfBlobKey(key))))
  }
}

interface Dependencies {
  blobs: Pick<BlobStore, 'list' | 'remove'>
  removals: BlobRemovalStore
  backgroundJobs: Pick<BackgroundJobStore, 'recordsSince'>
  /** Owners by the prefix of blob keys. Blobs with other prefixes stay. */
  owners: Record<string, Owner>
  clock: Clock
}

/** Maximum time of the removal of blobs, which takes some milliseconds for each: other jobs wait. */
const removalMsMax = 60_000
/** Blobs that are removed at the same time. */
const removalsAtOnce = 10
/** Limit: after this number of errors in one run, the store itself probably doesn't work. */
const errorsMax = 100
/** When a failed removal is due again: for the next run, which begins with notes that became due before. */
const retryMs = 300_000
/** Blobs that one run notes; the next run continues. */
const orphanedBlobsMax = 1_000
/** Blobs whose rows are looked up by one query. */
const blobsAtOnce = 500
/** Some stores round the times of blobs to the second. */
const roundedMs = 2_000

export function createBlobJobs({ blobs, removals, backgroundJobs, owners, clock }: Dependencies) {
  async function namedOf(keys: readonly string[]): Promise<Set<string>> {
    const named = Object.entries(owners).map(([kind, owner]) => owner(keys.filter((key) => kindOf(key) === kind)))
    return new Set((await Promise.all(named)).flatMap((keys) => [...keys]))
  }

  /** Removes some blobs. Returns how many notes it has worked on. */
  async function removeSome(max: number, dueBy: number, errors: RemovalErrors, signal: AbortSignal): Promise<number> {
    let worked = 0
    const keys = (await removals.list(max, dueBy)).map(({ key }) => key)
    const named = await namedOf(keys)
    for (let at = 0; at < keys.length && errors.count < errorsMax && !signal.aborted; at += removalsAtOnce) {
      const some = keys.slice(at, at + removalsAtOnce)
      const failed: string[] = []
      await Promise.all(
        some.map(async (key) => {
          try {
            // Two rows may have shared the blob, and one of them still names it.
            if (named.has(key)) await removals.done(key)
            else await deleteOrphanedBlob(key, blobs, removals)
          } catch (error) {
            errors.add(key, error)
            failed.push(key)
          }
        }),
      )
      await removals.postpone(failed, dueBy + retryMs)
      worked += some.length
    }
    return worked
  }

  return {
    /**
     * Removes the blobs that are noted, the oldest notes first. `inParts` repeats the given function until it returns 0. A blob that can't be
     * removed keeps no other one waiting: its note moves behind those that are due. Its error is thrown at the end.
     */
    async finishRemovals(
      inParts: (removeSome: (max: number) => Promise<number>, signal: AbortSignal) => Promise<number>,
      stopping?: AbortSignal,
    ): Promise<number> {
      const late = AbortSignal.timeout(removalMsMax)
      const signal = stopping === undefined ? late : AbortSignal.any([stopping, late])
      const dueBy = clock.now()
      const errors = createErrors()
      const part = async (max: number) => (errors.count < errorsMax ? removeSome(max, dueBy, errors, signal) : 0)
      const worked = await inParts(part, signal)
      errors.throwAny()
      return worked
    },

    /**
     * Notes the blobs without a row, so that `finishRemovals` removes them. A blob is committed moments before its row is written. A blob without
     * a row that is older than the grace period has no owner: ids are used once, so no row will name it. A blob that is older than the records
     * stays: it may belong to another database, for example if DATABASE_URL names a new one and the blobs are where they were.
     */
    async noteOrphaned(signal?: AbortSignal): Promise<number> {
      const since = ((await backgroundJobs.recordsSince()) ?? Number.POSITIVE_INFINITY) - roundedMs
      const before = clock.now() - limits.blobGraceSeconds * 1_000
      let noted = 0
      for await (const keys of inGroups(blobs.list(), since, before)) {
        const ours = keys.filter((key) => Object.hasOwn(owners, kindOf(key)))
        const named = await namedOf(ours)
        const orphaned = ours.filter((key) => !named.has(key))
        // Those that can't be removed are noted already, and don't count.
        noted += await removals.add(orphaned.slice(0, orphanedBlobsMax - noted), clock.now())
        if (noted >= orphanedBlobsMax || signal?.aborted) break
      }
      return noted
    },
  }
}

type RemovalErrors = ReturnType<typeof createErrors>

function createErrors() {
  let count = 0
  let first: { key: string; error: unknown } | undefined
  return {
    get count() {
      return count
    },
    add(key: string, error: unknown): void {
      count += 1
      first ??= { key, error }
    },
    throwAny(): void {
      if (first === undefined) return
      const blobs = count === 1 ? 'a blob' : `${count} blobs`
      throw new Error(`${blobs} could not be removed, for example ${first.key}: later`, { cause: first.error })
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
