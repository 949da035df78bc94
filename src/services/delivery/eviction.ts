/** Keeps the files of delivery URLs of each account within their limit: the least recently used are removed. */
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../domain/clock.ts'
import type { DerivedFileStore } from '../../domain/derived-file-store.ts'

interface Dependencies {
  derivedFiles: Pick<DerivedFileStore, 'accounts' | 'evict'>
  clock: Clock
  /** Of each account. */
  bytesMax: number
}

/** A response that has just found a file is still to read it, and clients follow redirects. */
const unusedMsMin = 300_000
/** Rows that one transaction removes. */
const batchRows = 500

/** Returns how many files it removed, at most `rowsMax`. The next run continues. */
export function createEviction({ derivedFiles, clock, bytesMax }: Dependencies) {
  return async (rowsMax: number, signal?: AbortSignal): Promise<number> => {
    let removed = 0
    for (const accountId of await derivedFiles.accounts()) {
      for (let left = rowsMax - removed; left > 0 && !signal?.aborted; left = rowsMax - removed) {
        const now = clock.now()
        const bounds = { bytesMax, rowsMax: Math.min(left, batchRows), usedBefore: now - unusedMsMin }
        const count = await derivedFiles.evict(accountId, bounds, now)
        removed += count
        if (count === 0) break
        // SQLite runs a statement without waiting: requests have their turn between two batches.
        await setImmediate()
      }
    }
    return removed
  }
}
