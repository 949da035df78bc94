/** Removes moves of channels above the number of a workflow. */
import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'

/** Moves that a request removes. */
const rowsMax = 500

/** Removes the oldest moves of the workflow, up to this number. */
export async function removeMoves(db: Kysely<Schema>, workflowId: string, upTo: number): Promise<void> {
  const oldest = db
    .selectFrom('channel_moves')
    .select(['workflow_id', 'channel', 'sequence'])
    .where('workflow_id', '=', workflowId)
    .where('workflow_sequence', '<=', upTo)
    .orderBy('workflow_sequence')
    .limit(rowsMax)
  await db
    .deleteFrom('channel_moves')
    .where((eb) =>
      eb(
        eb.refTuple('workflow_id', 'channel', 'sequence'),
        'in',
        oldest.$asTuple('workflow_id', 'channel', 'sequence'),
      ),
    )
    .execute()
}
