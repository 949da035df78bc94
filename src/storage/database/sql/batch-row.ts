/** Converts batches and their rows to rows of the database and back. */
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { UsedBrandValues } from '../../../domain/accounts/brand.ts'
import type { Batch, BatchState, BatchStatus, PauseReason } from '../../../domain/batches/batch.ts'
import type { BatchItem, BatchItemStatus } from '../../../domain/batches/batch-item.ts'
import type { ExecutionError, ExecutionOutput, NamedExecutionOutput } from '../../../domain/executions/execution.ts'
import type { Schema } from '../schema.ts'
import type { BatchItemRow, BatchRow } from '../schema-batches.ts'
import { shortened } from './long-columns.ts'

const shortColumns = [
  'batches.id',
  'batches.account_id',
  'batches.workflow_id',
  'batches.workflow_version',
  'batches.name',
  'batches.status',
  'batches.pause_reason',
  'batches.max_cost_micros',
  'batches.webhook_url',
  'batches.key_id',
  'batches.total',
  'batches.upload',
  'batches.uploading',
  'batches.uploading_until',
  'batches.run_started_at',
  'batches.run_ended_before',
  'batches.created_at',
  'batches.started_at',
  'batches.completed_at',
  'batches.traceparent',
] as const

/** The columns of a `BatchState` in a list, without defaults and brand values that are long. */
export const listedColumns = [...shortColumns, ...shortened('batches', 'defaults')] as const

export const endedStates = ['completed', 'failed', 'cancelled'] as const
const itemTotals = 'batch_items_in_state'

/** The number of rows in each state that triggers keep, the running executions and the cost. */
export function stateColumns(eb: ExpressionBuilder<Schema, 'batches'>) {
  const counts = endedStates.map((state) =>
    eb
      .selectFrom('list_totals')
      .select(sql<number>`coalesce(sum(total), 0)`.as('total'))
      .whereRef('list_totals.account_id', '=', 'batches.account_id')
      .where('list', '=', sql.lit(itemTotals))
      .where('value', '=', sql<string>`batches.id || ${sql.lit(` ${state}`)}`)
      .as(state),
  )
  const running = eb
    .selectFrom('executions')
    .select((inner) => inner.fn.countAll<number>().as('n'))
    .whereRef('batch_id', '=', 'batches.id')
    .where('batch_id', 'is not', null)
    .where('executions.status', '=', sql.lit('running'))
    .where('executions.completed_at', 'is', null)
    .as('running')
  const budget = eb.selectFrom('budgets').whereRef('scope', '=', 'batches.id').where('period', '=', sql.lit(''))
  return [...counts, running, budget.select('spent').as('spent'), budget.select('unknown_costs').as('unknown_costs')]
}

/** No upload of rows is under way. */
export function isNotUploading(now: number) {
  return ({ eb }: ExpressionBuilder<Schema, 'batches'>) =>
    eb.or([eb('uploading', 'is', null), eb('uploading_until', '<=', now)])
}

type Columns = Pick<BatchRow, 'defaults' | 'brand' | ColumnName<(typeof shortColumns)[number]>>
type ColumnName<Reference> = Reference extends `batches.${infer Name extends keyof BatchRow}` ? Name : never
export type StateRow = Columns &
  Partial<Record<(typeof endedStates)[number] | 'running' | 'spent' | 'unknown_costs', unknown>>

export function toBatchState(row: StateRow, now: number): BatchState {
  const [completed, failed, cancelled, running] = [row.completed, row.failed, row.cancelled, row.running].map(
    Number,
  ) as [number, number, number, number]
  const pending = Math.max(0, row.total - completed - failed - cancelled - running)
  const { spent = null } = row
  return {
    ...toBatch(row),
    counts: { pending, running, completed, failed, cancelled },
    isUploading: row.uploading !== null && Number(row.uploading_until) > now,
    upload: row.upload,
    ...(spent === null ? {} : { cost: { costMicros: Number(spent), unknownCosts: Number(row.unknown_costs) } }),
    runStartedAt: row.run_started_at,
    runEndedBefore: row.run_ended_before,
  }
}

function toBatch(row: Columns): Batch {
  return {
    id: row.id,
    accountId: row.account_id,
    workflowId: row.workflow_id,
    workflowVersion: row.workflow_version,
    name: row.name,
    defaults: JSON.parse(row.defaults) as Record<string, unknown>,
    ...(row.brand === null ? {} : { brand: JSON.parse(row.brand) as UsedBrandValues }),
    status: row.status as BatchStatus,
    pauseReason: row.pause_reason as PauseReason | null,
    maxCostMicros: row.max_cost_micros,
    webhookUrl: row.webhook_url,
    keyId: row.key_id,
    ...(row.traceparent === null ? {} : { traceparent: row.traceparent }),
    total: row.total,
    createdAt: row.created_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
  }
}

export function toBatchRow(batch: Batch): BatchRow {
  return {
    id: batch.id,
    account_id: batch.accountId,
    workflow_id: batch.workflowId,
    workflow_version: batch.workflowVersion,
    name: batch.name,
    defaults: JSON.stringify(batch.defaults),
    brand: batch.brand === undefined ? null : JSON.stringify(batch.brand),
    status: batch.status,
    pause_reason: batch.pauseReason,
    max_cost_micros: batch.maxCostMicros,
    webhook_url: batch.webhookUrl,
    key_id: batch.keyId,
    total: batch.total,
    upload: 0,
    uploads: 0,
    uploading: null,
    uploading_until: null,
    is_active: 0,
    has_leftovers: 0,
    runner_id: null,
    runner_until: null,
    run_started_at: null,
    run_ended_before: 0,
    idle_since: batch.createdAt,
    created_at: batch.createdAt,
    traceparent: batch.traceparent ?? null,
    started_at: batch.startedAt,
    completed_at: batch.completedAt,
    deleted_at: null,
  }
}

/** Rows of batches, each with its last execution. */
export function selectItems(db: Kysely<Schema>) {
  return db
    .selectFrom('batch_items as item')
    .leftJoin('executions as own', 'own.id', 'item.execution_id')
    .select([
      'item.batch_id',
      'item.row_number',
      'item.key',
      'item.parameters',
      'item.state',
      'item.execution_id',
      'item.ended_at',
      'own.status',
      'own.output',
      'own.outputs',
      'own.error',
    ])
}

type ItemColumns = Pick<
  BatchItemRow,
  'batch_id' | 'row_number' | 'key' | 'parameters' | 'state' | 'execution_id' | 'ended_at'
> & { status: string | null; output: string | null; outputs: string | null; error: string | null }

export function toItem(row: ItemColumns): BatchItem {
  const isOpen = row.state === 'open'
  return {
    batchId: row.batch_id,
    row: row.row_number,
    key: row.key,
    parameters: JSON.parse(row.parameters) as Record<string, unknown>,
    status: isOpen ? (row.status === 'running' ? 'running' : 'pending') : (row.state as BatchItemStatus),
    executionId: row.execution_id,
    output: isOpen || row.output === null ? null : (JSON.parse(row.output) as ExecutionOutput),
    ...(isOpen || row.outputs === null ? {} : { outputs: JSON.parse(row.outputs) as NamedExecutionOutput[] }),
    error: isOpen || row.error === null ? null : (JSON.parse(row.error) as ExecutionError),
    endedAt: row.ended_at,
  }
}

/** Removes the totals of a batch without rows. */
export function removeItemTotals(db: Kysely<Schema>, accountId: string, batchId: string) {
  const values = endedStates.map((state) => `${batchId} ${state}`)
  return db
    .deleteFrom('list_totals')
    .where('account_id', '=', accountId)
    .where('list', '=', itemTotals)
    .where('value', 'in', values)
    .execute()
}
