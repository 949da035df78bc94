/** Removes ended executions in parts, in the order of their ends. */
import { type Kysely, sql } from 'kysely'
import type { ExecutionRetentionStore } from '../../../domain/executions/execution-retention.ts'
import type { Schema } from '../schema.ts'
import { endedExecutions, lastClosedDay } from './activity.ts'

/** Text of the executions that one transaction removes; a single one can have more. SQLite frees its pages one by one. */
const bytesAtOnce = 1_000_000
/** The lengths are known without the text. */
const bytesOf = sql<number>`octet_length(parameters) + octet_length(steps) + coalesce(octet_length(document), 0)`

export function createExecutionRetentionStore(db: Kysely<Schema>): ExecutionRetentionStore {
  return {
    lastClosedDay: (accountId) => lastClosedDay(db, accountId),

    async sweepEnded(executions, rowsMax) {
      const following = await endedExecutions(db, executions)
        .select('completed_at')
        .orderBy('completed_at')
        .offset(rowsMax)
        .limit(1)
        .executeTakeFirst()
      // Executions can have ended in the same millisecond.
      const next = following && Math.max(Number(following.completed_at), executions.from + 1)
      const unused = await endedExecutions(db, { ...executions, before: next ?? executions.before })
        .select(['id', bytesOf.as('bytes')])
        .where(({ not, or, eb, exists, selectFrom }) =>
          not(
            or([
              exists(
                selectFrom('provider_calls').select('id').whereRef('provider_calls.execution_id', '=', 'executions.id'),
              ),
              exists(selectFrom('batches').select('id').whereRef('batches.id', '=', eb.ref('executions.batch_id'))),
            ]),
          ),
        )
        .execute()
      for (const ids of parts(unused)) {
        await db.transaction().execute(async (trx) => {
          await trx.deleteFrom('budgets').where('scope', 'in', ids).where('period', '=', '').execute()
          await trx.deleteFrom('executions').where('id', 'in', ids).execute()
        })
      }
      return { removed: unused.length, next }
    },
  }
}

function parts(rows: readonly { id: string; bytes: number }[]): string[][] {
  const all: string[][] = []
  let bytesLeft = 0
  for (const { id, bytes } of rows) {
    bytesLeft -= Number(bytes)
    if (bytesLeft < 0) {
      all.push([])
      bytesLeft = bytesAtOnce - Number(bytes)
    }
    all.at(-1)?.push(id)
  }
  return all
}
