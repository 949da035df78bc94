/** Deletion of accounts: first a mark that hides the account and refuses its keys, then removal in parts, which the background job continues after a crash. */
import type { AccountStore } from '../../domain/accounts/account.ts'
import { type QuotaStore, storageOf } from '../../domain/accounts/quota.ts'
import { isTwin, twinOf } from '../../domain/accounts/twin.ts'
import type { BlobRemovalStore } from '../../domain/blob-removal.ts'
import type { Clock } from '../../domain/clock.ts'
import type { ExecutionStore } from '../../domain/executions/execution.ts'
import type { BlobStore } from '../../domain/images/image.ts'
import { type Removal, type RemovalOptions, type RemovedRecords, removalNotedMs } from '../../domain/removal.ts'
import { createSkippedErrors } from '../../domain/skipped-errors.ts'
import { notFound } from '../../errors.ts'
import { stopExecutions } from '../executions/stop-executions.ts'
import { tryDeleteOrphanedBlob } from '../images/orphaned-blobs.ts'

export interface RemovedAccount {
  id: string
  /** Number of removed rows by table. */
  rows: Record<string, number>
  /** Removed files. */
  blobs: number
  /** The bytes for which the account counted. */
  storedBytes: number
  /** Whether the background job of the service has to remove the rest. */
  isGone: boolean
}

export interface AccountRemoval {
  /** Deletes an account, or continues the deletion of one that is marked. */
  remove(id: string): Promise<RemovedAccount>
  /** Continues the deletions that were interrupted. Returns the number of removed rows. */
  removeMarked(rowsMax: number, signal?: AbortSignal): Promise<number>
}

interface Dependencies {
  accounts: Pick<AccountStore, 'markDeleted' | 'listDeleted'>
  quotas: Pick<QuotaStore, 'read'>
  executions: Pick<ExecutionStore, 'stop'>
  removal: Pick<Removal, 'removeAccount'>
  blobs: Pick<BlobStore, 'remove'>
  removals: Pick<BlobRemovalStore, 'done'>
  clock: Clock
}

const blobsAtOnce = 10

export function createAccountRemoval(dependencies: Dependencies): AccountRemoval {
  const { accounts, quotas, executions, removal, blobs, removals, clock } = dependencies

  async function bytesOf(id: string): Promise<number> {
    return storageOf(await quotas.read(id, ['storageBytes'], clock.now())).bytes
  }

  /** The twin goes first: its executions refer to versions of the account's workflows. */
  async function removeRecords(id: string, options?: RemovalOptions): Promise<RemovedRecords> {
    const removed: RemovedRecords = { isGone: false, rows: {}, blobKeys: [] }
    for (const each of [twinOf(id), id]) {
      await stopExecutions({ executions, clock }, each)
      const { isGone, rows, blobKeys } = await removal.removeAccount(each, options)
      for (const [table, count] of Object.entries(rows))
        if (each === id || table !== 'accounts') removed.rows[table] = (removed.rows[table] ?? 0) + count
      removed.blobKeys.push(...blobKeys)
      removed.isGone = isGone
      if (!isGone) break
    }
    return removed
  }

  return {
    async remove(id) {
      if (isTwin(id) || !(await accounts.markDeleted(id, clock.now()))) throw notFound('account', id)
      const storedBytes = (await bytesOf(id)) + (await bytesOf(twinOf(id)))
      const { isGone, rows, blobKeys } = await removeRecords(id)
      for (let at = 0; at < blobKeys.length; at += blobsAtOnce)
        await Promise.all(
          blobKeys.slice(at, at + blobsAtOnce).map((key) => tryDeleteOrphanedBlob(key, blobs, removals)),
        )
      return { id, rows, blobs: new Set(blobKeys).size, storedBytes, isGone }
    },

    removeMarked: async (rowsMax, signal) =>
      removeEach(
        (await accounts.listDeleted(clock.now() - 3 * removalNotedMs)).filter((id) => !isTwin(id)),
        { rowsMax, signal },
        removeRecords,
      ),
  }
}

/** Removes marked records up to a number of rows, which it returns. The error of one is thrown after the others had their turn. */
export async function removeEach(
  ids: readonly string[],
  { rowsMax, signal }: { rowsMax: number; signal: AbortSignal | undefined },
  remove: (id: string, options: RemovalOptions) => Promise<RemovedRecords>,
): Promise<number> {
  const errors = createSkippedErrors()
  let count = 0
  for (const id of ids) {
    if (count >= rowsMax || signal?.aborted) break
    await errors.skip(async () => {
      const { rows } = await remove(id, { rowsMax: rowsMax - count, signal })
      for (const removed of Object.values(rows)) count += removed
    })
  }
  errors.throwAny()
  return count
}
