/**
 * Removes files of delivery URLs: all of deleted workflows, and the least recently used of each account until it is within its limit.
 */
import type { Clock } from '../../domain/clock.ts'
import type { DerivedFileStore } from '../../domain/delivery/derived-file-store.ts'
import { createSkippedErrors, type SkippedErrors, startingAfter } from '../../domain/skipped-errors.ts'
import { createAccountEviction, rowsAtOnce, unusedMsMin } from './account-eviction.ts'

interface Dependencies {
  derivedFiles: Pick<DerivedFileStore, 'accounts' | 'sizes' | 'evict' | 'nextWorkflow' | 'removeOf'>
  clock: Clock
  /** Maximum of each account. */
  bytesMax: number
  /** The most workflows with files that one run looks at. Default: 5,000. */
  workflowsMax?: number
}

/**
 * Returns how many files it removed, at most `rowsMax`. The next run continues. The error of one workflow or account is thrown after the others
 * had their turn.
 */
export function createEviction({ derivedFiles, clock, bytesMax, workflowsMax = 5_000 }: Dependencies) {
  const evictOf = createAccountEviction({ derivedFiles, clock, bytesMax })
  /** The last workflow that was looked at. */
  let lastId = ''
  /** The last account that had its turn. */
  let lastAccountId = ''

  async function removeOfDeleted(rowsMax: number, errors: SkippedErrors, signal?: AbortSignal): Promise<number> {
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
      let count = 0
      // An error passes it over, in the next run too.
      const before = lastId
      lastId = id
      const isDone = await errors.skip(async () => {
        if (isOver) count = await derivedFiles.removeOf(id, left, now)
      })
      removed += count
      // It may have more, and is the next one again.
      if (isDone && count === left) lastId = before
      else looked += 1
    }
    return removed
  }

  return async (rowsMax: number, signal?: AbortSignal): Promise<number> => {
    const errors = createSkippedErrors()
    let removed = await removeOfDeleted(rowsMax, errors, signal)
    for (const accountId of startingAfter(lastAccountId, await derivedFiles.accounts())) {
      if (removed >= rowsMax || signal?.aborted) break
      lastAccountId = accountId
      await errors.skip(async () => {
        removed += (await evictOf(accountId, rowsMax - removed, signal)).files
      })
    }
    errors.throwAny()
    return removed
  }
}
