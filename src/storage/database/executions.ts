import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { ExecutionStatus, ExecutionStore, Step } from '../../domain/execution.ts'
import { logLine, logPart } from '../../domain/execution-log.ts'
import type { WorkflowDocument } from '../../domain/workflow.ts'
import { claimingNext } from './claim-next.ts'
import type { Dialect } from './dialect.ts'
import { type Condition, endLost, endUnended, stepLines, triedTooOften, unended } from './end-execution.ts'
import { executionColumns, rankOf, toExecution, toRow } from './execution-row.ts'
import { insertOnce } from './idempotency.ts'
import { imageInsert } from './images.ts'
import { insertNew } from './insert.ts'
import { insertingWaiting, waitingInAll } from './insert-waiting.ts'
import { lastOutputs } from './last-outputs.ts'
import { listTotal } from './list-total.ts'
import { nextAttempt, withoutParked } from './next-attempt.ts'
import { prepared } from './prepared.ts'
import { readPage } from './read-page.ts'
import type { Schema } from './schema.ts'

export function createExecutionStore(db: Kysely<Schema>, dialect: Dialect): ExecutionStore {
  const insertWaiting = insertingWaiting(db, dialect)
  const select = prepared(({ accountId, id }: { accountId: string; id: string }) =>
    db
      .selectFrom('executions')
      .select(executionColumns)
      .select(costColumns)
      .where('id', '=', id)
      .where('account_id', '=', accountId),
  )
  const count = prepared(() => waitingInAll(db))
  const selectLogged = prepared(({ accountId, id }: { accountId: string; id: string }) =>
    db
      .selectFrom('executions')
      .select(executionColumns)
      .select(['steps', 'events'])
      .select(costColumns)
      .where('id', '=', id)
      .where('account_id', '=', accountId),
  )
  const selectLog = prepared(({ id, from }: { id: string; from: number }) =>
    db
      .selectFrom('executions')
      .select([
        'status',
        (eb) => eb.fn<string>('substr', ['events', eb.cast<number>(eb.val(from), 'integer')]).as('events'),
      ])
      .where('id', '=', id),
  )
  const selectDocument = prepared(({ id }: { id: string }) =>
    db.selectFrom('executions').select('document').where('id', '=', id),
  )
  const claimNext = claimingNext(db, dialect)
  const claim = prepared(
    ({ id, now, line, attemptsMax }: { id: string; now: number; line: string; attemptsMax: number }) =>
      unended(db, id)
        .set((eb) => ({
          ...waiting,
          ...nextAttempt(eb),
          status: 'running',
          started_at: now,
          events: eb('events', '||', line),
        }))
        .where((eb) => eb.not(triedTooOften(eb, attemptsMax)))
        .returning(executionColumns),
  )
  const finish = prepared(({ id, attempt, lines, ...result }: Finished) =>
    running(db, id, attempt).set((eb) => ({ status: 'completed', ...result, events: eb('events', '||', lines) })),
  )
  const insertImage = imageInsert(db)

  return {
    async create(execution, options = {}) {
      const { record, waitingMax = Number.MAX_SAFE_INTEGER } = options
      const row = toRow(execution, options)
      await insertNew(dialect, 'execution', () =>
        insertOnce(db, record, execution.id, (within) => insertWaiting(within, row, waitingMax)),
      )
    },

    async find(accountId, id) {
      const [row] = (await select(db, { accountId, id })).rows
      return row && toExecution(row)
    },

    async list(accountId, page, { workflowId, status, createdAfter, createdBefore }) {
      let matching = db.selectFrom('executions').where('account_id', '=', accountId)
      if (workflowId !== undefined) matching = matching.where('workflow_id', '=', workflowId)
      if (status !== undefined) matching = matching.where('status', '=', status)
      if (createdAfter !== undefined) matching = matching.where('created_at', '>=', createdAfter)
      if (createdBefore !== undefined) matching = matching.where('created_at', '<', createdBefore)
      const isBounded = createdAfter !== undefined || createdBefore !== undefined
      return readPage(
        page,
        matching.select(executionColumns).select(costColumns).orderBy('created_at', 'desc').orderBy('id', 'desc'),
        // Few have not ended: they are counted. Of those that have, and of all, the total is kept; not of a stretch of time.
        isBounded || status === 'pending' || status === 'running'
          ? matching.select((eb) => eb.fn.countAll<number>().as('total'))
          : executionTotal(db, accountId, workflowId, status),
        toExecution,
      )
    },

    lastOutputs: (accountId, workflowIds) => lastOutputs(db, dialect, accountId, workflowIds),

    async findDocument(executionId) {
      const [row] = (await selectDocument(db, { id: executionId })).rows
      return row?.document ? (JSON.parse(row.document) as WorkflowDocument) : undefined
    },

    async listSteps(executionId) {
      const row = await db.selectFrom('executions').select('steps').where('id', '=', executionId).executeTakeFirst()
      return row === undefined ? [] : (JSON.parse(row.steps) as Step[])
    },

    async findLogged(accountId, id) {
      const [row] = (await selectLogged(db, { accountId, id })).rows
      if (row === undefined) return undefined
      return { execution: toExecution(row), steps: JSON.parse(row.steps) as Step[], log: logPart(row.events) }
    },

    async readLog(executionId, position) {
      // SQL counts from 1.
      const [row] = (await selectLog(db, { id: executionId, from: position + 1 })).rows
      return row && { status: row.status as ExecutionStatus, ...logPart(row.events, position) }
    },

    async recentRuns(accountId, runsMax) {
      const rows = await db
        .selectFrom('executions')
        .select(['steps', 'completed_at'])
        .where('account_id', '=', accountId)
        .where('status', '=', sql.lit('completed'))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(runsMax)
        .execute()
      return rows.map((row) => ({ steps: JSON.parse(row.steps) as Step[], completedAt: Number(row.completed_at) }))
    },

    async countPending() {
      const [row] = (await count(db, {})).rows
      return Number(row?.waiting)
    },

    async claimNext(now, { worker = null, except = [] } = {}) {
      const row = await claimNext({ now, line: logLine({ status: 'running', at: now }), worker }, except)
      return row && toExecution(row)
    },

    async claim(executionId, now, { attemptsMax, error }) {
      const line = logLine({ status: 'running', at: now })
      const [row] = (await claim(db, { id: executionId, now, line, attemptsMax })).rows
      if (row !== undefined) return toExecution(row)
      await endLost(db, executionId, { error, completedAt: now }, (eb) => triedTooOften(eb, attemptsMax))
      return undefined
    },

    async whichRun(attempts) {
      if (attempts.length === 0) return []
      const ids = attempts.map(({ executionId }) => executionId)
      const rows = await db
        .selectFrom('executions')
        .select(['id', 'attempt'])
        .where('id', 'in', ids)
        .where('status', '=', 'running')
        .execute()
      const current = new Map(rows.map(({ id, attempt }) => [id, attempt]))
      return ids.filter((id, i) => current.get(id) === attempts[i]?.attempt)
    },

    async saveSteps(executionId, attempt, steps, changed = steps) {
      const result = await running(db, executionId, attempt)
        .set((eb) => ({ steps: JSON.stringify(steps), events: eb('events', '||', stepLines(changed)) }))
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async complete(executionId, attempt, { image, output, steps, changed = steps, completedAt }) {
      return db.transaction().execute(async (trx) => {
        const { numAffectedRows } = await finish(trx, {
          id: executionId,
          attempt,
          output: JSON.stringify(output),
          steps: JSON.stringify(steps),
          completed_at: completedAt,
          lines: stepLines(changed) + logLine({ status: 'completed', at: completedAt }),
        })
        if (numAffectedRows === 0n) return isOutput(trx, executionId, image.id)
        await insertImage(trx, image)
        return true
      })
    },

    async fail(executionId, attempt, { error, steps, changed = steps, completedAt }) {
      const lines = stepLines(changed) + logLine({ status: 'failed', at: completedAt })
      const result = await running(db, executionId, attempt)
        .set((eb) => ({
          status: 'failed',
          error: JSON.stringify(error),
          steps: JSON.stringify(steps),
          completed_at: completedAt,
          events: eb('events', '||', lines),
        }))
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    cancel: (executionId, ended) => endUnended(db, executionId, ended),

    async park(executionId, attempt, isParked) {
      const result = await running(db, executionId, attempt)
        .set({ parked: isParked ? 1 : 0 })
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async release(executionId, attempt, now) {
      // The attempt's number is not given out again, or a write that comes late would pass for the next attempt's.
      const result = await running(db, executionId, attempt)
        .set((eb) => ({
          ...waiting,
          attempts_released: eb('attempts_released', '+', 1),
          events: eb('events', '||', logLine({ status: 'pending', at: now })),
        }))
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async recover({ attemptsMax, error, now, only }) {
      return db.transaction().execute(async (trx) => {
        const isLost: Condition = (eb) =>
          eb.and([
            eb('status', '=', sql.lit('running')),
            ...(only ? [eb('id', '=', only.executionId), eb('attempt', '=', only.attempt)] : []),
          ])
        const tooOften = await trx
          .selectFrom('executions')
          .select('id')
          .where(isLost)
          .where((eb) => triedTooOften(eb, attemptsMax))
          .execute()
        for (const { id } of tooOften) {
          const own = { ...error, details: { ...error.details, executionId: id } }
          await endLost(trx, id, { error: own, completedAt: now })
        }
        const requeued = await trx
          .updateTable('executions')
          .set((eb) => ({
            ...waiting,
            ...withoutParked(eb),
            events: eb('events', '||', logLine({ status: 'pending', at: now })),
          }))
          .where(isLost)
          .executeTakeFirst()
        return { requeued: Number(requeued.numUpdatedRows), failed: tooOften.length }
      })
    },
  }
}

/** As an execution stands that waits to be claimed: nothing is left of an attempt but its number. */
const waiting = { status: 'pending', started_at: null, steps: '[]', parked: 0, rank: rankOf.startedBefore }

/** Both null where it has called no model. */
function costColumns(eb: ExpressionBuilder<Schema, 'executions'>) {
  const own = eb.selectFrom('budgets').whereRef('scope', '=', 'executions.id').where('period', '=', sql.lit(''))
  return [own.select('spent').as('spent'), own.select('unknown_costs').as('unknown_costs')] as const
}

type Finished = { id: string; attempt: number; output: string; steps: string; completed_at: number; lines: string }

function executionTotal(db: Kysely<Schema>, accountId: string, workflowId?: string, status?: string) {
  if (workflowId === undefined && status === undefined) return listTotal(db, accountId, 'executions')
  if (workflowId === undefined) return listTotal(db, accountId, 'executions_in_status', status)
  if (status === undefined) return listTotal(db, accountId, 'executions_of_workflow', workflowId)
  return listTotal(db, accountId, 'executions_of_workflow_in_status', `${workflowId} ${status}`)
}

/** Whether it has completed with this image: an outcome that is told again, because the answer was lost on its way. */
async function isOutput(db: Kysely<Schema>, executionId: string, imageId: string): Promise<boolean> {
  const row = await db
    .selectFrom('images')
    .select('id')
    .where('id', '=', imageId)
    .where('execution_id', '=', executionId)
    .executeTakeFirst()
  return row !== undefined
}

/** The fence: a write of an attempt that was taken over, given back or ended finds no row. */
function running(db: Kysely<Schema>, executionId: string, attempt: number) {
  return db
    .updateTable('executions')
    .where('id', '=', executionId)
    .where('attempt', '=', attempt)
    .where('status', '=', 'running')
}
