/** Ends executions from outside their attempt: cancelled ones, and those whose worker was lost too often. */
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import type { ExecutionError, Step } from '../../domain/execution.ts'
import { logLine } from '../../domain/execution-log.ts'
import { type ProviderCall, withUnknownCalls } from '../../domain/provider-call.ts'
import { limits } from '../../limits.ts'
import { endUnknownCalls } from './end-call.ts'
import { endOpenSteps } from './execution-row.ts'
import type { Schema } from './schema.ts'

export type Condition = (eb: ExpressionBuilder<Schema, 'executions'>) => Expression<SqlBool>

/** Counts the attempts that were neither given back nor parked when they were lost; the last bound is for all of them. */
export function triedTooOften(eb: ExpressionBuilder<Schema, 'executions'>, attemptsMax: number) {
  const tries = eb(eb('attempt', '-', eb.ref('attempts_released')), '-', eb.ref('parked'))
  return eb.or([eb(tries, '>=', attemptsMax), eb('attempt', '>=', limits.executionStartsMax)])
}

export function unended(db: Kysely<Schema>, executionId: string) {
  return db.updateTable('executions').where('id', '=', executionId).where('status', 'in', ['pending', 'running'])
}

type Ended = { error: ExecutionError; completedAt: number }

/** Fails an execution that has not ended, even if a worker runs it, and cancels its open steps. False when it has ended. */
export async function endUnended(
  db: Kysely<Schema>,
  executionId: string,
  { error, completedAt }: Ended,
  condition: Condition = (eb) => eb.lit(true),
  endCalls?: (trx: Kysely<Schema>) => Promise<ProviderCall[]>,
): Promise<boolean> {
  const end = async (trx: Kysely<Schema>) => {
    // The status first: from then on who runs it writes no more steps.
    const row = await unended(trx, executionId)
      .set({ status: 'failed', error: JSON.stringify(error), completed_at: completedAt })
      .where(condition)
      .returning('steps')
      .executeTakeFirst()
    if (row === undefined) return false
    const calls = (await endCalls?.(trx)) ?? []
    const { steps, cancelled } = endOpenSteps(JSON.parse(row.steps) as Step[])
    const unrecorded = stepsOf(calls, steps)
    const lines = stepLines([...cancelled, ...unrecorded]) + logLine({ status: 'failed', at: completedAt })
    await trx
      .updateTable('executions')
      .set((eb) => ({
        steps: JSON.stringify([...steps, ...unrecorded]),
        events: eb('events', '||', lines),
        error: JSON.stringify(withUnknownCalls(error, calls)),
      }))
      .where('id', '=', executionId)
      .execute()
    return true
  }
  return db.isTransaction ? end(db) : db.transaction().execute(end)
}

/** As `endUnended`, for one whose worker was lost: no process is left that could find the outcome of its open calls. */
export function endLost(
  db: Kysely<Schema>,
  executionId: string,
  ended: Ended,
  condition?: Condition,
): Promise<boolean> {
  return endUnended(db, executionId, ended, condition, (trx) => endUnknownCalls(trx, executionId, ended.completedAt))
}

/** Steps that made calls, and whose process was lost before it recorded them. */
function stepsOf(calls: readonly ProviderCall[], recorded: readonly Step[]): Step[] {
  const missing = calls.filter(({ node }) => !recorded.some((step) => step.node === node))
  const firsts = new Map(missing.toReversed().map((call) => [call.node, call]))
  return [...firsts.values()].map(({ node, capability, createdAt }) => ({
    node,
    operation: capability,
    status: 'cancelled',
    startedAt: createdAt,
    durationMs: null,
    width: null,
    height: null,
    error: null,
  }))
}

export function stepLines(steps: Step[]): string {
  return steps.map((step) => logLine({ step })).join('')
}
