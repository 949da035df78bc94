import { type Kysely, sql } from 'kysely'
import type { ExecutionOutput, LastOutput } from '../../../domain/executions/execution.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'

/** Executions of a workflow that are searched. Any number can have run to a node. */
const searchedMax = 1_000

/**
 * One query for all workflows: the newest execution of each is the first entry of its range of the index, after newer executions that ran to
 * a node. An index without those would cost every execution more than it saves here.
 */
export async function lastOutputs(
  db: Kysely<Schema>,
  dialect: Dialect,
  accountId: string,
  workflowIds: string[],
): Promise<LastOutput[]> {
  if (workflowIds.length === 0) return []
  const newest = db
    .selectFrom('workflows')
    .where('workflows.id', 'in', workflowIds)
    .select((eb) =>
      eb
        .selectFrom(
          eb
            .selectFrom('executions as each')
            .select(['each.id', 'each.node', 'each.created_at'])
            .where('each.account_id', '=', accountId)
            .whereRef('each.workflow_id', '=', 'workflows.id')
            .where('each.status', '=', sql.lit('completed'))
            .where('each.completed_at', 'is not', null)
            .orderBy('each.created_at', 'desc')
            .orderBy('each.id', 'desc')
            .limit(searchedMax)
            .as('rows'),
        )
        .select('rows.id')
        .where('rows.node', 'is', null)
        .orderBy('rows.created_at', 'desc')
        .orderBy('rows.id', 'desc')
        .limit(1)
        .as('id'),
    )
  const rows = await db
    .selectFrom('executions')
    .leftJoin('images', (join) => join.on('images.id', '=', dialect.textIn('executions.output', 'imageId')))
    .leftJoin('derived_files', (join) =>
      join.on('derived_files.id', '=', dialect.textIn('executions.output', 'imageId')),
    )
    .where('executions.id', 'in', newest)
    .where((eb) => eb.or([eb('images.id', 'is not', null), eb('derived_files.id', 'is not', null)]))
    .select(['executions.workflow_id', 'executions.id', 'executions.output', 'executions.completed_at'])
    .execute()
  return rows.map((row) => ({
    workflowId: row.workflow_id,
    executionId: row.id,
    output: JSON.parse(String(row.output)) as ExecutionOutput,
    completedAt: Number(row.completed_at),
  }))
}
