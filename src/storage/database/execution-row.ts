/** An execution as its row, and back. */
import type { Execution, ExecutionError, ExecutionOutput, ExecutionStatus, Step } from '../../domain/execution.ts'
import type { ParameterValues } from '../../domain/workflow.ts'
import type { ExecutionRow } from './schema.ts'

/** All that an `Execution` is made of: everything but the steps, which can be long and have their own way out. */
export const executionColumns = [
  'id',
  'account_id',
  'workflow_id',
  'workflow_version',
  'parameters',
  'status',
  'attempt',
  'output',
  'error',
  'created_at',
  'started_at',
  'completed_at',
  'resumed_from',
  'key_id',
] as const

/** From what its calls of models were set against; null where it has made none. */
interface CostColumns {
  spent?: number | null
  unknown_costs?: number | null
}

export function toExecution(row: Pick<ExecutionRow, (typeof executionColumns)[number]> & CostColumns): Execution {
  const { spent = null, unknown_costs } = row
  return {
    id: row.id,
    accountId: row.account_id,
    workflowId: row.workflow_id,
    workflowVersion: row.workflow_version,
    parameters: JSON.parse(row.parameters) as ParameterValues,
    status: row.status as ExecutionStatus,
    attempt: row.attempt,
    output: row.output === null ? null : (JSON.parse(row.output) as ExecutionOutput),
    error: row.error === null ? null : (JSON.parse(row.error) as ExecutionError),
    createdAt: row.created_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    ...(row.resumed_from === null ? {} : { resumedFrom: row.resumed_from }),
    ...(row.key_id === null ? {} : { keyId: row.key_id }),
    ...(spent === null ? {} : { cost: { costMicros: Number(spent), unknownCosts: Number(unknown_costs) } }),
  }
}

export function toRow(execution: Execution): ExecutionRow {
  return {
    id: execution.id,
    account_id: execution.accountId,
    workflow_id: execution.workflowId,
    workflow_version: execution.workflowVersion,
    parameters: JSON.stringify(execution.parameters),
    status: execution.status,
    attempt: execution.attempt,
    attempts_released: 0,
    output: execution.output === null ? null : JSON.stringify(execution.output),
    error: execution.error === null ? null : JSON.stringify(execution.error),
    created_at: execution.createdAt,
    started_at: execution.startedAt,
    completed_at: execution.completedAt,
    steps: '[]',
    resumed_from: execution.resumedFrom ?? null,
    key_id: execution.keyId ?? null,
  }
}

/** In an execution that has ended no step runs or waits. */
export function endOpenSteps(steps: Step[]): Step[] {
  return steps.map((step) =>
    step.status === 'running' || step.status === 'pending' ? { ...step, status: 'cancelled' } : step,
  )
}
