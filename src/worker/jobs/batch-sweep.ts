/** Hides old batches, and removes the rows of hidden batches, of replaced uploads and of abandoned ones. */
import type { BatchStore } from '../../domain/batches/batch.ts'
import type { Clock } from '../../domain/clock.ts'
import { createSkippedErrors } from '../../domain/skipped-errors.ts'
import { limits } from '../../limits.ts'

interface Dependencies {
  batches: Pick<BatchStore, 'expire' | 'nextLeftover' | 'sweep'>
  clock: Clock
}

const expiredMax = 100
/** Rows that one statement removes. */
const rowsAtOnce = 1_000

/**
 * Returns the number of hidden batches and removed rows, at most some `rowsMax`. The next run continues. The error of one batch is thrown after the
 * others had their turn.
 */
export function createBatchSweep({ batches, clock }: Dependencies) {
  /** The last batch that had its turn. */
  let lastId = ''

  return async (rowsMax: number, signal?: AbortSignal): Promise<number> => {
    const errors = createSkippedErrors()
    const now = clock.now()
    let count = 0
    await errors.skip(async () => {
      count += await batches.expire(now - limits.batchKeptSeconds * 1_000, expiredMax, now)
    })
    const mayContinue = () => count < rowsMax && !signal?.aborted
    while (mayContinue()) {
      const before = lastId
      const id = await batches.nextLeftover(before, now)
      // An error passes it over, in the next run too. After the last one, the next run starts with the first.
      lastId = id ?? ''
      if (id === undefined) break
      await errors.skip(async () => {
        while (mayContinue()) {
          const swept = await batches.sweep(id, rowsAtOnce, now)
          if (swept === undefined) return
          count += swept
        }
        // It may have more, and is the next one again.
        lastId = before
      })
    }
    errors.throwAny()
    return count
  }
}
