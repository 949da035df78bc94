/** Keeps the previews and thumbnails of each account within its limit: after each addition, the least recently used ones are removed. */
import type { Clock } from '../../domain/clock.ts'
import type { PreviewStore } from '../../domain/images/preview.ts'

/** Removes previews of the account that are above its limit. The next addition continues. */
export type EvictPreviews = (accountId: string) => Promise<void>

interface Dependencies {
  previews: Pick<PreviewStore, 'bytesOf' | 'evict'>
  clock: Clock
  /** Maximum of each account. */
  bytesMax: number
}

/** Rows that one transaction removes. */
const rowsAtOnce = 500
/** Parts after one addition, which has at most some hundred rows: an execution waits for it at its end. */
const partsMax = 4

export function createPreviewEviction({ previews, clock, bytesMax }: Dependencies): EvictPreviews {
  return async (accountId) => {
    for (let parts = 0; parts < partsMax; parts++) {
      // Read again for each part: other processes evict at the same time.
      const excess = (await previews.bytesOf(accountId)) - bytesMax
      if (excess <= 0) return
      const removed = await previews.evict(accountId, { bytes: excess, rowsMax: rowsAtOnce }, clock.now())
      if (removed === 0) return
    }
  }
}
