/** The bin: images that were deleted and can be restored. Nothing else finds them, and their bytes and their number still count. */
import type { CountedPage, PageRequest } from '../page.ts'
import type { Image } from './image.ts'

export interface BinnedImage extends Image {
  /** When it was moved to the bin. */
  binnedAt: number
}

export interface BinStore {
  find(accountId: string, id: string): Promise<BinnedImage | undefined>
  /** The images of the bin. The last one that was moved there comes first. */
  list(accountId: string, page: PageRequest): Promise<CountedPage<BinnedImage>>
  /** Moves images back, with their former project and time of removal. Returns the ids that were in the bin. */
  restore(accountId: string, ids: readonly string[]): Promise<string[]>
  /** Removes at most this number of images and notes their blobs for removal: those with these ids, or without ids, the oldest ones. */
  remove(
    accountId: string,
    ids: readonly string[] | undefined,
    max: number,
    now: number,
  ): Promise<{ count: number; hasMore: boolean }>
}
