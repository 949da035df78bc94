/** Removes moves of channels: the oldest of a workflow, and those of deleted workflows. Each statement removes a bounded number. */
import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import { inTransaction } from './in-transaction.ts'

/** Moves that a request removes. */
export const movesAtOnce = 500

/** Removes the oldest moves of the workflow, at most `rowsMax`. Returns how many. `upTo`: the last number to remove; default: all. */
export async function removeMoves(
  db: Kysely<Schema>,
  workflowId: string,
  rowsMax: number,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const oldest = db
    .selectFrom('channel_moves')
    .select(['workflow_id', 'channel', 'sequence'])
    .where('workflow_id', '=', workflowId)
    .where('workflow_sequence', '<=', upTo)
    .orderBy('workflow_sequence')
    .limit(rowsMax)
  const { numDeletedRows } = await db
    .deleteFrom('channel_moves')
    .where((eb) =>
      eb(
        eb.refTuple('workflow_id', 'channel', 'sequence'),
        'in',
        oldest.$asTuple('workflow_id', 'channel', 'sequence'),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Part of the transaction that deletes the workflow. The background job removes the other moves. */
export async function removeMovesOfDeleted(trx: Kysely<Schema>, workflowId: string): Promise<void> {
  const removed = await removeMoves(trx, workflowId, movesAtOnce)
  if (removed === movesAtOnce) await trx.insertInto('channel_leftovers').values({ workflow_id: workflowId }).execute()
}

/** See `ChannelStore`. */
export async function sweepMoves(db: Kysely<Schema>, rowsMax: number): Promise<number | undefined> {
  const leftovers = db.selectFrom('channel_leftovers').select('workflow_id').orderBy('workflow_id')
  const next = await leftovers.limit(1).executeTakeFirst()
  if (next === undefined) return undefined
  const { workflow_id } = next
  return inTransaction(db, async (trx) => {
    const removed = await removeMoves(trx, workflow_id, rowsMax)
    if (removed < rowsMax) await trx.deleteFrom('channel_leftovers').where('workflow_id', '=', workflow_id).execute()
    return removed
  })
}
