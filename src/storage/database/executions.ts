import { type Kysely, sql } from 'kysely'
import type { ExecutionStore, Step } from '../../domain/execution.ts'
import type { Dialect } from './dialect.ts'
import { endOpenSteps, executionColumns, toExecution, toRow } from './execution-row.ts'
import { insertOnce } from './idempotency.ts'
import { imageInsert } from './images.ts'
import { insertNew } from './insert.ts'
import { prepared } from './prepared.ts'
import { readPage } from './read-page.ts'
import type { ExecutionRow, Schema } from './schema.ts'

export function createExecutionStore(db: Kysely<Schema>, dialect: Dialect): ExecutionStore {
  const insert = prepared((row: ExecutionRow) => db.insertInto('executions').values(row))
  const select = prepared(({ accountId, id }: { accountId: string; id: string }) =>
    db.selectFrom('executions').select(executionColumns).where('id', '=', id).where('account_id', '=', accountId),
  )
  const count = prepared(() =>
    db
      .selectFrom('executions')
      .select((eb) => eb.fn.countAll<number>().as('pending'))
      .where('status', '=', sql.lit('pending')),
  )
  const claim = prepared(({ now }: { now: number }) =>
    db
      .updateTable('executions')
      .set((eb) => ({ status: 'running', attempt: eb('attempt', '+', 1), started_at: now }))
      .where('id', '=', dialect.skipLocked(oldestPending(db)))
      .returning(executionColumns),
  )
  const finish = prepared(({ id, attempt, ...result }: Finished) =>
    running(db, id, attempt).set({ status: 'completed', ...result }),
  )
  const insertImage = imageInsert(db)

  return {
    async create(execution, record) {
      await insertNew(dialect, 'execution', () =>
        insertOnce(db, record, execution.id, (within) => insert(within, toRow(execution))),
      )
    },

    async find(accountId, id) {
      const [row] = (await select(db, { accountId, id })).rows
      return row && toExecution(row)
    },

    async list(accountId, page, { workflowId, status }) {
      let matching = db.selectFrom('executions').where('account_id', '=', accountId)
      if (workflowId !== undefined) matching = matching.where('workflow_id', '=', workflowId)
      if (status !== undefined) matching = matching.where('status', '=', status)
      return readPage(
        page,
        matching.select(executionColumns).orderBy('created_at', 'desc').orderBy('id', 'desc'),
        matching.select((eb) => eb.fn.countAll<number>().as('total')),
        toExecution,
      )
    },

    async listSteps(executionId) {
      const row = await db.selectFrom('executions').select('steps').where('id', '=', executionId).executeTakeFirst()
      return row === undefined ? [] : (JSON.parse(row.steps) as Step[])
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
      return Number(row?.pending)
    },

    async claimNext(now) {
      const [row] = (await claim(db, { now })).rows
      return row && toExecution(row)
    },

    async saveSteps(executionId, attempt, steps) {
      await running(db, executionId, attempt)
        .set({ steps: JSON.stringify(steps) })
        .execute()
    },

    async complete(executionId, attempt, { image, output, steps, completedAt }) {
      return db.transaction().execute(async (trx) => {
        const { numAffectedRows } = await finish(trx, {
          id: executionId,
          attempt,
          output: JSON.stringify(output),
          steps: JSON.stringify(steps),
          completed_at: completedAt,
        })
        if (numAffectedRows === 0n) return false
        await insertImage(trx, image)
        return true
      })
    },

    async fail(executionId, attempt, { error, steps, completedAt }) {
      const result = await running(db, executionId, attempt)
        .set({
          status: 'failed',
          error: JSON.stringify(error),
          steps: JSON.stringify(steps),
          completed_at: completedAt,
        })
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async failPending(executionId, { error, completedAt }) {
      const result = await db
        .updateTable('executions')
        .set({ status: 'failed', error: JSON.stringify(error), completed_at: completedAt })
        .where('id', '=', executionId)
        .where('status', '=', 'pending')
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async release(executionId, attempt) {
      // The attempt's number is not given out again, or a write that comes late would pass for the next attempt's.
      const result = await running(db, executionId, attempt)
        .set((eb) => ({ ...waiting, attempts_released: eb('attempts_released', '+', 1) }))
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async recover({ attemptsMax, error, now }) {
      return db.transaction().execute(async (trx) => {
        const tooOften = await trx
          .selectFrom('executions')
          .select(['id', 'steps'])
          .where('status', '=', sql.lit('running'))
          .where((eb) => eb('attempt', '-', eb.ref('attempts_released')), '>=', attemptsMax)
          .execute()
        for (const { id, steps } of tooOften) {
          await trx
            .updateTable('executions')
            .set({
              status: 'failed',
              error: JSON.stringify(error),
              steps: JSON.stringify(endOpenSteps(JSON.parse(steps) as Step[])),
              completed_at: now,
            })
            .where('id', '=', id)
            .execute()
        }
        const requeued = await trx
          .updateTable('executions')
          .set(waiting)
          .where('status', '=', sql.lit('running'))
          .executeTakeFirst()
        return { requeued: Number(requeued.numUpdatedRows), failed: tooOften.length }
      })
    },
  }
}

/** As an execution stands that waits to be claimed: nothing is left of an attempt but its number. */
const waiting = { status: 'pending', started_at: null, steps: '[]' }

type Finished = { id: string; attempt: number; output: string; steps: string; completed_at: number }

function oldestPending(db: Kysely<Schema>) {
  return db
    .selectFrom('executions')
    .select('id')
    .where('status', '=', sql.lit('pending'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
}

/** The fence: a write of an attempt that was taken over, given back or ended finds no row. */
function running(db: Kysely<Schema>, executionId: string, attempt: number) {
  return db
    .updateTable('executions')
    .where('id', '=', executionId)
    .where('attempt', '=', attempt)
    .where('status', '=', 'running')
}
