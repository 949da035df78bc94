/** The bin of images: callers list it, restore images, and remove them before their time. */

import type { Clock } from '../../domain/clock.ts'
import type { BinnedImage, BinStore } from '../../domain/images/bin.ts'
import type { CountedPage, PageRequest } from '../../domain/page.ts'
import { notFound } from '../../errors.ts'
import { limits } from '../../limits.ts'

export interface Bin {
  find(accountId: string, id: string): Promise<BinnedImage>
  list(accountId: string, page: PageRequest): Promise<CountedPage<BinnedImage>>
  /** Returns the ids that were in the bin. */
  restore(accountId: string, ids: readonly string[]): Promise<string[]>
  /** Removes images, at most `imagesDeletedMax`: those with these ids, or without ids, all. A background job removes their bytes. */
  remove(accountId: string, ids?: readonly string[]): Promise<{ count: number; hasMore: boolean }>
}

export function createBin({ bin, clock }: { bin: BinStore; clock: Clock }): Bin {
  return {
    async find(accountId, id) {
      const image = await bin.find(accountId, id)
      if (image === undefined) throw notFound('image in the bin', id)
      return image
    },
    list: (accountId, page) => bin.list(accountId, page),
    restore: (accountId, ids) => bin.restore(accountId, ids),
    remove: (accountId, ids) => bin.remove(accountId, ids, limits.imagesDeletedMax, clock.now()),
  }
}

/** The time after which the image is removed from the bin. */
export function removedAt({ binnedAt, expiresAt = Number.POSITIVE_INFINITY }: BinnedImage): number {
  return Math.min(binnedAt + limits.binSeconds * 1_000, expiresAt)
}
