/** Ends executions from outside their attempt: cancelled ones, and those whose worker was lost too often. */
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import type { ExecutionError, Step, StoredEvent } from '../../../domain/executions/execution.ts'
import { type ProviderCall, withUnknownCalls } from '../../../domain/models/provider-call.ts'
import { note } from '../../../domain/observed.ts'
import { limits } from '../../../limits.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { withEvents } from '../stores/execution-events.ts'
import { endUnknownCalls } from './end-call.ts'
import { endOpenSteps } from './execution-row.ts'
import { inTransaction } from './in-transaction.ts'

type Condition = (eb: ExpressionBuilder<Schema, 'executions'>) => Expression<SqlBool>

/** Counts the attempts that were neither given back nor parked when they were lost. The last bound is for all attempts. */
export function triedTooOften(eb: ExpressionBuilder<Schema, 'executions'>, attemptsMax: number) {
  const tries = eb(eb('attempt', '-', eb.ref('attempts_released')), '-', eb.ref('parked'))
  return eb.or([eb(tries, '>=', attemptsMax), eb('attempt', '>=', limits.executionStartsMax)])
}

export function unended(db: Kysely<Schema>, executionId: string) {
  return db.updateTable('executions').where('id', '=', executionId).where('status', 'in', ['pending', 'running'])
}

export type Ended = { error: ExecutionError; completedAt: number }

export function endingExecutions(db: Kysely<Schema>, dialect: Dialect) {
  const write = withEvents(
    db,
    dialect,
    ({ id, eventCount, ...values }: { id: string; steps: string; error: string; eventCount: number }) =>
      db
        .updateTable('executions')
        .set((eb) => ({ ...values, event_count: eb('event_count', '+', eventCount) }))
        .where('id', '=', id)
        .returning(['id', 'event_count']),
  )

  /** Fails an execution that has not ended, even if a worker runs it, and cancels its open steps. False if it has ended. */
  async function endUnfinished(
    within: Kysely<Schema>,
    executionId: string,
    { error, completedAt }: Ended,
    condition: Condition = (eb) => eb.lit(true),
    endCalls?: (trx: Kysely<Schema>) => Promise<ProviderCall[]>,
  ): Promise<boolean> {
    const isEnded = await inTransaction(within, async (trx) => {
      // The status first: from then on the worker that runs the execution writes no more steps.
      const row = await unended(trx, executionId)
        .set({ status: 'failed', error: JSON.stringify(error), completed_at: completedAt })
        .where(condition)
        .returning('steps')
        .executeTakeFirst()
      if (row === undefined) return false
      const calls = (await endCalls?.(trx)) ?? []
      const { steps, cancelled } = endOpenSteps(JSON.parse(row.steps) as Step[])
      const unrecorded = stepsOf(calls, steps)
      const ended = {
        steps: JSON.stringify([...steps, ...unrecorded]),
        error: JSON.stringify(withUnknownCalls(error, calls)),
      }
      const events = [...stepEvents([...cancelled, ...unrecorded]), { status: 'failed' as const, at: completedAt }]
      await write(trx, { id: executionId, ...ended }, events)
      return true
    })
    if (isEnded) note('executionEnded', { reason: error.details.reason ?? 'internal' })
    return isEnded
  }

  /**
   * Ends an execution like `endUnfinished` if its worker was lost: no process is left that could find the outcome of its
   * open calls.
   */
  function endLost(within: Kysely<Schema>, executionId: string, ended: Ended, condition?: Condition): Promise<boolean> {
    return endUnfinished(within, executionId, ended, condition, (trx) =>
      endUnknownCalls(trx, executionId, ended.completedAt),
    )
  }

  return { endUnfinished, endLost }
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

export function stepEvents(steps: readonly Step[]): StoredEvent[] {
  return steps.map((step) => ({ step }))
}
