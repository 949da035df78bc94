/** Converts executions to rows and back. */
import { sql } from 'kysely'
import type { UsedBrandValues } from '../../../domain/accounts/brand.ts'
import type {
  Execution,
  ExecutionError,
  ExecutionOutput,
  ExecutionStatus,
  NamedExecutionOutput,
  NewExecution,
  Step,
  Variations,
} from '../../../domain/executions/execution.ts'
import type { ParameterValues } from '../../../domain/workflows/workflow.ts'
import { limits } from '../../../limits.ts'
import type { ExecutionRow } from '../schema.ts'
import { brandOfExecution } from './execution-brands.ts'
import { shortened } from './long-columns.ts'

/** Read in place of the document, which can be long. */
const isDraft = sql<number | boolean>`executions.document is not null`.as('is_draft')

const shortColumns = [
  'id',
  'account_id',
  'workflow_id',
  'workflow_version',
  'status',
  'attempt',
  'attempts_released',
  'output',
  'outputs',
  'error',
  'created_at',
  'started_at',
  'completed_at',
  'resumed_from',
  'batch_id',
  'key_id',
  'with_previews',
  'expires_in',
  'node',
  'variations',
  'derived_key',
  'output_format',
  'event_count',
  'traceparent',
  isDraft,
] as const

/** The columns of an `Execution`, and the number of its events. Steps can be long and are read separately. */
export const executionColumns = [...shortColumns, 'parameters', brandOfExecution.as('brand')] as const

/** The same columns, without parameters and brand values that are long. */
export const listedColumns = [...shortColumns, ...shortened('executions', 'parameters', brandOfExecution)] as const

/** The order within an account. Provider calls that an earlier attempt has paid for wait for the first. */
export const rankOf = { startedBefore: 0, synchronous: 1, asynchronous: 2, batch: 3 } as const

/** Columns from the budget of the execution; null if it has called no model. */
interface CostColumns {
  spent?: number | null
  unknown_costs?: number | null
}

type Columns = Pick<ExecutionRow, Extract<(typeof executionColumns)[number], string> | 'brand'> & {
  is_draft: number | boolean
}

export function toExecution(row: Columns & CostColumns): Execution {
  const { spent = null, unknown_costs } = row
  return {
    id: row.id,
    accountId: row.account_id,
    workflowId: row.workflow_id,
    workflowVersion: row.workflow_version ?? 0,
    parameters: JSON.parse(row.parameters) as ParameterValues,
    ...(row.brand === null ? {} : { brand: JSON.parse(row.brand) as UsedBrandValues }),
    status: row.status as ExecutionStatus,
    attempt: row.attempt,
    output: row.output === null ? null : (JSON.parse(row.output) as ExecutionOutput),
    ...(row.outputs === null ? {} : { outputs: JSON.parse(row.outputs) as NamedExecutionOutput[] }),
    error: row.error === null ? null : (JSON.parse(row.error) as ExecutionError),
    createdAt: row.created_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    ...(row.resumed_from === null ? {} : { resumedFrom: row.resumed_from }),
    ...(row.batch_id === null ? {} : { batchId: row.batch_id }),
    ...(row.key_id === null ? {} : { keyId: row.key_id }),
    ...(row.expires_in === null ? {} : { expiresIn: row.expires_in }),
    ...(row.with_previews === 1 ? { previews: true as const } : {}),
    ...(row.is_draft ? { isDraft: true as const } : {}),
    ...(row.node === null ? {} : { node: row.node }),
    ...(row.variations === null ? {} : { variations: JSON.parse(row.variations) as Variations }),
    ...(row.derived_key === null ? {} : { derivedKey: row.derived_key }),
    ...(row.output_format === null
      ? {}
      : { outputFormat: row.output_format as NonNullable<Execution['outputFormat']> }),
    ...(row.traceparent === null ? {} : { traceparent: row.traceparent }),
    ...(isLastAttempt(row) ? { isLastAttempt: true as const } : {}),
    ...(spent === null ? {} : { cost: { costMicros: Number(spent), unknownCosts: Number(unknown_costs) } }),
  }
}

function isLastAttempt({ status, attempt, attempts_released }: Columns): boolean {
  return status === 'running' && attempt - attempts_released >= limits.executionAttemptsMax
}

export function toRow(
  execution: Execution,
  { document, isAsync, batchItem, webhookUrl, imagesAdded = 1 }: NewExecution = {},
): ExecutionRow {
  return {
    id: execution.id,
    account_id: execution.accountId,
    workflow_id: execution.workflowId,
    workflow_version: execution.workflowVersion === 0 ? null : execution.workflowVersion,
    parameters: JSON.stringify(execution.parameters),
    brand: execution.brand === undefined ? null : JSON.stringify(execution.brand),
    status: execution.status,
    attempt: execution.attempt,
    attempts_released: 0,
    parked: 0,
    output: execution.output === null ? null : JSON.stringify(execution.output),
    outputs: execution.outputs === undefined ? null : JSON.stringify(execution.outputs),
    error: execution.error === null ? null : JSON.stringify(execution.error),
    created_at: execution.createdAt,
    started_at: execution.startedAt,
    completed_at: execution.completedAt,
    steps: '[]',
    event_count: 0,
    resumed_from: execution.resumedFrom ?? null,
    batch_id: execution.batchId ?? null,
    key_id: execution.keyId ?? null,
    with_previews: execution.previews ? 1 : 0,
    expires_in: execution.expiresIn ?? null,
    document: document === undefined ? null : JSON.stringify(document),
    node: execution.node ?? null,
    variations: execution.variations === undefined ? null : JSON.stringify(execution.variations),
    webhook_url: webhookUrl ?? null,
    derived_key: execution.derivedKey ?? null,
    output_format: execution.outputFormat ?? null,
    rank: batchItem ? rankOf.batch : isAsync ? rankOf.asynchronous : rankOf.synchronous,
    worker_id: null,
    images_reserved: execution.derivedKey === undefined ? imagesAdded : 0,
    traceparent: execution.traceparent ?? null,
  }
}

/** The steps of an execution that has ended: none runs or waits. `cancelled`: the steps that this changed. */
export function endOpenSteps(before: Step[]): { steps: Step[]; cancelled: Step[] } {
  const steps = before.map((step): Step => {
    return step.status === 'running' || step.status === 'pending' ? { ...step, status: 'cancelled' } : step
  })
  return { steps, cancelled: steps.filter((step, i) => step !== before[i]) }
}
