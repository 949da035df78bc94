/** Removes the least recently used files of delivery URLs of one account until it is within its limit. */
import type { Clock } from '../../domain/clock.ts'
import type { DerivedFileStore, FileUse } from '../../domain/delivery/derived-file-store.ts'

interface Dependencies {
  derivedFiles: Pick<DerivedFileStore, 'sizes' | 'evict'>
  clock: Clock
  bytesMax: number
}

export interface Evicted {
  files: number
  /** Bytes above the limit that are left: of files that were used just now, or above `rowsMax`. */
  excess: number
}

export type EvictAccount = (accountId: string, rowsMax: number, signal?: AbortSignal) => Promise<Evicted>

/** A response that has just found a file is still to read it, and clients follow redirects. */
export const unusedMsMin = 300_000
/** Rows that one transaction removes. */
export const rowsAtOnce = 500
/** Rows that one statement adds up, in a few milliseconds. */
const sizesAtOnce = 5_000

export function createAccountEviction({ derivedFiles, clock, bytesMax }: Dependencies): EvictAccount {
  /** The bytes of its files above the limit. Added up in parts: an account can have a million small files. */
  async function excessOf(accountId: string, signal?: AbortSignal): Promise<number> {
    let excess = -bytesMax
    for (let after: FileUse | undefined; !signal?.aborted; ) {
      const { bytes, next } = await derivedFiles.sizes(accountId, sizesAtOnce, after)
      excess += bytes
      if (next === undefined) return excess
      after = next
    }
    return 0
  }

  return async (accountId, rowsMax, signal) => {
    let removed = 0
    let excess = await excessOf(accountId, signal)
    while (excess > 0 && removed < rowsMax && !signal?.aborted) {
      const now = clock.now()
      const left = Math.min(rowsMax - removed, rowsAtOnce)
      const bounds = { bytes: excess, rowsMax: left, usedBefore: now - unusedMsMin }
      const { files, bytes } = await derivedFiles.evict(accountId, bounds, now)
      if (files === 0) break
      removed += files
      excess -= bytes
    }
    return { files: removed, excess }
  }
}
