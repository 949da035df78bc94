/**
 * Removes files of delivery URLs: all of deleted workflows, and the least recently used of each account until it is within its limit.
 */
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../domain/clock.ts'
import type { DerivedFileStore, FileUse } from '../../domain/derived-file-store.ts'

interface Dependencies {
  derivedFiles: Pick<DerivedFileStore, 'accounts' | 'sizes' | 'evict' | 'nextWorkflow' | 'removeOf'>
  clock: Clock
  /** Of each account. */
  bytesMax: number
  /** The most workflows with files that one run looks at. Default: 5,000. */
  workflowsMax?: number
}

/** A response that has just found a file is still to read it, and clients follow redirects. */
const unusedMsMin = 300_000
/** Rows that one transaction removes. */
const rowsAtOnce = 500
/** Rows that one statement adds up, in a few milliseconds. */
const sizesAtOnce = 5_000

/** Returns how many files it removed, at most `rowsMax`. The next run continues. */
export function createEviction({ derivedFiles, clock, bytesMax, workflowsMax = 5_000 }: Dependencies) {
  /** The last workflow that was looked at. */
  let lastId = ''

  async function removeOfDeleted(rowsMax: number, signal?: AbortSignal): Promise<number> {
    let removed = 0
    for (let looked = 0; looked < workflowsMax && removed < rowsMax && !signal?.aborted; ) {
      const workflow = await derivedFiles.nextWorkflow(lastId)
      if (workflow === undefined) {
        lastId = ''
        break
      }
      const { id, deletedAt } = workflow
      const now = clock.now()
      const left = Math.min(rowsMax - removed, rowsAtOnce)
      const isOver = deletedAt !== null && deletedAt < now - unusedMsMin
      const count = isOver ? await derivedFiles.removeOf(id, left, now) : 0
      removed += count
      // Otherwise it may have more, and is the next one again.
      if (count < left) {
        lastId = id
        looked += 1
      }
      // SQLite runs a statement without waiting: requests have their turn between two transactions.
      await setImmediate()
    }
    return removed
  }

  /** The bytes of its files above the limit. Added up in parts: requests have their turn between two parts of a million small files. */
  async function excessOf(accountId: string, signal?: AbortSignal): Promise<number> {
    let excess = -bytesMax
    for (let after: FileUse | undefined; !signal?.aborted; ) {
      const { bytes, next } = await derivedFiles.sizes(accountId, sizesAtOnce, after)
      excess += bytes
      if (next === undefined) return excess
      after = next
      await setImmediate()
    }
    return 0
  }

  return async (rowsMax: number, signal?: AbortSignal): Promise<number> => {
    let removed = await removeOfDeleted(rowsMax, signal)
    for (const accountId of await derivedFiles.accounts()) {
      if (removed >= rowsMax || signal?.aborted) break
      let excess = await excessOf(accountId, signal)
      while (excess > 0 && removed < rowsMax && !signal?.aborted) {
        const now = clock.now()
        const left = Math.min(rowsMax - removed, rowsAtOnce)
        const bounds = { bytes: excess, rowsMax: left, usedBefore: now - unusedMsMin }
        const { files, bytes } = await derivedFiles.evict(accountId, bounds, now)
        if (files === 0) break
        removed += files
        excess -= bytes
        await setImmediate()
      }
    }
    return removed
  }
}
