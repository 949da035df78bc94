import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import {
  type ExecutionStatus,
  type ExecutionStore,
  isTerminal,
  type Step,
  type StoredEvent,
} from '../../../domain/executions/execution.ts'
import type { WorkflowDocument } from '../../../domain/workflows/workflow.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { claimingNext } from '../sql/claim-next.ts'
import { claimFile } from '../sql/derive-file.ts'
import { endingAttempts, running } from '../sql/end-attempt.ts'
import { type Ended, endingExecutions, stepEvents, triedTooOften, unended } from '../sql/end-execution.ts'
import { storingBrands } from '../sql/execution-brands.ts'
import { executionColumns, listedColumns, rankOf, toExecution, toRow } from '../sql/execution-row.ts'
import { requireIdleKey } from '../sql/idle-key.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { insertNew } from '../sql/insert.ts'
import { insertingRunning, startedOn } from '../sql/insert-running.ts'
import { insertingWaiting, waitingAccounts, waitingInAll } from '../sql/insert-waiting.ts'
import { lastOutputs } from '../sql/last-outputs.ts'
import { nextAttempt, withoutParked } from '../sql/next-attempt.ts'
import { prepared } from '../sql/prepared.ts'
import type { Quotas } from '../sql/quotas.ts'
import { notingLong, readPage } from '../sql/read-page.ts'
import { reopenBatchItem, takeBatchItem } from './batch-items.ts'
import { requireReserved } from './drafts.ts'
import { withEvents } from './execution-events.ts'
import { insertOnce } from './idempotency.ts'

export function createExecutionStore(db: Kysely<Schema>, dialect: Dialect, quotas: Quotas): ExecutionStore {
  const insertWaiting = insertingWaiting(db, dialect, quotas)
  const insertRunning = insertingRunning(db, dialect, quotas)
  const storeBrand = storingBrands(db)
  const select = prepared(({ accountId, id }: { accountId: string; id: string }) =>
    db
      .selectFrom('executions')
      .select(executionColumns)
      .select(costColumns)
      .where('id', '=', id)
      .where('account_id', '=', accountId),
  )
  const count = prepared(() => waitingInAll(db))
  const selectSnapshot = prepared(({ accountId, id }: { accountId: string; id: string }) =>
    db
      .selectFrom('executions')
      .select(executionColumns)
      .select('steps')
      .select(costColumns)
      .where('id', '=', id)
      .where('account_id', '=', accountId),
  )
  const selectEvents = prepared(({ accountId, id, after }: { accountId: string; id: string; after: number }) =>
    db
      .selectFrom('executions')
      .leftJoin('execution_events', (join) => join.onRef('execution_id', '=', 'id').on('sequence', '>', after))
      .select(['status', 'event_count', 'sequence', 'events'])
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .orderBy('sequence'),
  )
  const selectDocument = prepared(({ id }: { id: string }) =>
    db.selectFrom('executions').select('document').where('id', '=', id),
  )
  const claimNext = claimingNext(db, dialect)
  const claim = withEvents(
    db,
    dialect,
    ({ id, now, attemptsMax, eventCount }: Counted<{ id: string; now: number; attemptsMax: number }>) =>
      unended(db, id)
        .set((eb) => ({
          ...waiting,
          ...nextAttempt(eb),
          status: 'running',
          started_at: now,
          ...counted(eb, eventCount),
        }))
        .where((eb) => eb.not(triedTooOften(eb, attemptsMax)))
        .returning(executionColumns),
  )
  const save = withEvents(
    db,
    dialect,
    ({ id, attempt, eventCount, ...values }: Counted<AttemptWrite & { steps: string }>) =>
      running(db, id, attempt)
        .set((eb) => ({ ...values, ...counted(eb, eventCount) }))
        .returning(['id', 'event_count']),
  )
  const release = withEvents(db, dialect, ({ id, attempt, eventCount }: Counted<AttemptWrite>) =>
    running(db, id, attempt)
      .set((eb) => ({
        ...waiting,
        attempts_released: eb('attempts_released', '+', 1),
        ...counted(eb, eventCount),
      }))
      .returning(['id', 'event_count']),
  )
  const requeue = ({ eventCount }: { eventCount: number }) =>
    db
      .updateTable('executions')
      .set((eb) => ({ ...waiting, ...withoutParked(eb), ...counted(eb, eventCount) }))
      .where('status', '=', sql.lit('running'))
      .returning(['id', 'event_count'])
  const requeueAll = withEvents(db, dialect, requeue)
  const requeueOne = withEvents(db, dialect, ({ id, attempt, ...values }: Counted<AttemptWrite>) =>
    requeue(values).where('id', '=', id).where('attempt', '=', attempt),
  )
  const { endUnfinished, endLost } = endingExecutions(db, dialect)

  /** One transaction. All executions are locked, in one order, before the first change locks the queue of the account: other changes have the same order. */
  function stopPart(accountId: string, status: 'pending' | 'running', { error, completedAt }: Ended): Promise<number> {
    return inTransaction(db, async (trx) => {
      const some = trx
        .selectFrom('executions')
        .select(['id', 'batch_id'])
        .where('account_id', '=', accountId)
        .where('status', '=', sql.lit(status))
        .orderBy('created_at')
        .orderBy('id')
        .limit(stoppedAtOnce)
      const executions = await dialect.lockRows(some).execute()
      for (const { id, batch_id } of executions) {
        const ended = { error: { ...error, details: { ...error.details, executionId: id } }, completedAt }
        await endUnfinished(trx, id, ended)
        if (batch_id !== null) await reopenBatchItem(trx, id)
      }
      return executions.length
    })
  }

  return {
    async create(execution, options = {}) {
      const { record, waitingMax = Number.MAX_SAFE_INTEGER, startFor, batchItem, derivedFile, isOnlyOfKey } = options
      const values = toRow(execution, options)
      const { column: brand, add } = await storeBrand(execution.accountId, values.brand, values.created_at)
      const row = { ...values, brand }
      const insert = async (within: Kysely<Schema>): Promise<boolean> => {
        if (quotas.locksForAdmission && !within.isTransaction) return inTransaction(within, insert)
        await quotas.lockForAdmission(within, row)
        if (startFor && (await insertRunning(within, row, startFor))) return true
        await insertWaiting(within, row, waitingMax)
        return false
      }
      const insertReserved = async (trx: Kysely<Schema>) => {
        await quotas.lockForAdmission(trx, row)
        await requireReserved(trx, dialect, execution.workflowId)
        return insert(trx)
      }
      const insertFirst = (within: Kysely<Schema>, first: (trx: Kysely<Schema>) => Promise<void>) =>
        inTransaction(within, async (trx) => {
          await first(trx)
          return insert(trx)
        })
      const insertAll = async (within: Kysely<Schema>) => {
        if (batchItem) return insertFirst(within, (trx) => takeBatchItem(trx, dialect, batchItem, execution.id))
        if (derivedFile) return insertFirst(within, (trx) => claimFile(trx, execution, derivedFile))
        if (execution.workflowVersion === 0)
          return inTransaction(within, (trx) => insertOnce(trx, record, execution.id, insertReserved))
        if (isOnlyOfKey)
          return insertOnce(within, record, execution.id, (once) =>
            insertFirst(once, (trx) => requireIdleKey(trx, dialect, row)),
          )
        return insertOnce(within, record, execution.id, insert)
      }
      const isStarted = await insertNew(dialect, 'execution', () => {
        if (add === undefined) return insertAll(db)
        return inTransaction(db, async (trx) => {
          await add(trx)
          return insertAll(trx)
        })
      })
      return isStarted ? { ...execution, ...startedOn(row.created_at) } : execution
    },

    async find(accountId, id) {
      const [row] = (await select(db, { accountId, id })).rows
      return row && toExecution(row)
    },

    async list(accountId, page, { workflowId, status, createdAfter, createdBefore }) {
      let matching = db.selectFrom('executions').where('account_id', '=', accountId)
      if (workflowId !== undefined) matching = matching.where('workflow_id', '=', workflowId)
      if (status !== undefined) matching = matching.where('status', '=', sql.lit(status))
      // The condition of the index of ended executions.
      if (status !== undefined && isTerminal(status)) matching = matching.where('completed_at', 'is not', null)
      if (createdAfter !== undefined) matching = matching.where('created_at', '>=', createdAfter)
      if (createdBefore !== undefined) matching = matching.where('created_at', '<', createdBefore)
      const { toItem, longIds } = notingLong(toExecution)
      const found = await readPage(page, {
        table: db.selectFrom('executions'),
        matching,
        columns: (rows) => rows.select(listedColumns).select(costColumns),
        toItem,
      })
      return { ...found, longIds }
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

    async findSnapshot(accountId, id) {
      const [row] = (await selectSnapshot(db, { accountId, id })).rows
      if (row === undefined) return undefined
      return { execution: toExecution(row), steps: JSON.parse(row.steps) as Step[], eventCount: row.event_count }
    },

    async readEvents(accountId, id, after) {
      const { rows } = await selectEvents(db, { accountId, id, after })
      const [row] = rows
      if (row === undefined) return undefined
      // An execution without events past this number has one row. The first row can also have events up to this number.
      const events = rows.flatMap(({ sequence, events }) =>
        events === null || sequence === null ? [] : eventsAfter(after, sequence, JSON.parse(events)),
      )
      return { status: row.status as ExecutionStatus, eventCount: row.event_count, events }
    },

    async recentRuns(accountId, runsMax, stepsBytesMax) {
      const found = await db
        .selectFrom('executions')
        // Its length is known without the text.
        .select(['id', sql<number>`octet_length(steps)`.as('bytes')])
        .where('account_id', '=', accountId)
        .where('status', '=', sql.lit('completed'))
        // As the index of ended executions has it, so that failed ones are not read.
        .where('completed_at', 'is not', null)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(runsMax)
        .execute()
      const ids: string[] = []
      let bytesLeft = stepsBytesMax
      for (const { id, bytes } of found) {
        bytesLeft -= Number(bytes)
        if (bytesLeft < 0) break
        ids.push(id)
      }
      if (ids.length === 0) return []
      const rows = await db
        .selectFrom('executions')
        .select(['id', 'steps', 'completed_at'])
        .where('id', 'in', ids)
        .execute()
      const byId = new Map(rows.map((row) => [row.id, row]))
      return ids.flatMap((id) => {
        const row = byId.get(id)
        return row ? [{ steps: JSON.parse(row.steps) as Step[], completedAt: Number(row.completed_at) }] : []
      })
    },

    async countPending() {
      const [row] = (await count(db, {})).rows
      return Number(row?.waiting)
    },

    async waitingByPlan() {
      const rows = await waitingAccounts(db)
        .innerJoin('executions as waits', (join) =>
          join.onRef('waits.account_id', '=', 'each.account_id').on('waits.status', '=', sql.lit('pending')),
        )
        .select(({ fn }) => [fn.countAll().as('waiting'), fn.min('waits.created_at').as('oldest')])
        .select(['owner.plan', 'each.may_start'])
        .groupBy(['owner.plan', 'each.may_start'])
        .execute()
      return rows.map(({ plan, may_start, waiting, oldest }) => ({
        plan,
        mayStart: may_start === 1,
        waiting: Number(waiting),
        oldestAt: Number(oldest),
      }))
    },

    async claimNext(now, { worker = null, except = [] } = {}) {
      const row = await claimNext({ now, worker }, except)
      return row && toExecution(row)
    },

    async claim(executionId, now, { attemptsMax, error }) {
      const [row] = await claim(db, { id: executionId, now, attemptsMax }, [{ status: 'running', at: now }])
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
      const write = { id: executionId, attempt, steps: JSON.stringify(steps) }
      return (await save(db, write, stepEvents(changed))).length > 0
    },

    ...endingAttempts(db, dialect),

    cancel: (executionId, ended) => endUnfinished(db, executionId, ended),

    async park(executionId, attempt, isParked) {
      const result = await running(db, executionId, attempt)
        .set({ parked: isParked ? 1 : 0 })
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async release(executionId, attempt, now) {
      // The attempt's number is not given out again, or a late write of this attempt would count as the next attempt's.
      return (await release(db, { id: executionId, attempt }, [{ status: 'pending', at: now }])).length > 0
    },

    async stop(ended, accountId) {
      const stopped = await db
        .selectFrom('account_queues')
        .select('account_id')
        .where((eb) => eb.or([eb('waiting', '>', 0), eb('running', '>', 0)]))
        .where('running_max', '=', 0)
        .$if(accountId !== undefined, (query) => query.where('account_id', '=', String(accountId)))
        .execute()
      let count = 0
      for (const { account_id } of stopped)
        for (const status of ['pending', 'running'] as const)
          for (let failed = stoppedAtOnce; failed === stoppedAtOnce; count += failed)
            failed = await stopPart(account_id, status, ended)
      return count
    },

    async recover({ attemptsMax, error, now, only }) {
      return db.transaction().execute(async (trx) => {
        const tooOften = await trx
          .selectFrom('executions')
          .select('id')
          .where('status', '=', sql.lit('running'))
          .where((eb) => triedTooOften(eb, attemptsMax))
          .$if(only !== undefined, (query) =>
            query.where('id', '=', String(only?.executionId)).where('attempt', '=', Number(only?.attempt)),
          )
          .execute()
        for (const { id } of tooOften) {
          const fault = { ...error, details: { ...error.details, executionId: id } }
          await endLost(trx, id, { error: fault, completedAt: now })
        }
        const events: StoredEvent[] = [{ status: 'pending', at: now }]
        const requeued = only
          ? await requeueOne(trx, { id: only.executionId, attempt: only.attempt }, events)
          : await requeueAll(trx, {}, events)
        return { requeued: requeued.length, failed: tooOften.length }
      })
    },
  }
}

const stoppedAtOnce = 100

/** The state of an execution that waits for a claim: nothing is left of an attempt but its number. */
const waiting = { status: 'pending', started_at: null, steps: '[]', parked: 0, rank: rankOf.startedBefore }

/** Both null if the execution has called no model. */
function costColumns(eb: ExpressionBuilder<Schema, 'executions'>) {
  const budget = eb.selectFrom('budgets').whereRef('scope', '=', 'executions.id').where('period', '=', sql.lit(''))
  return [budget.select('spent').as('spent'), budget.select('unknown_costs').as('unknown_costs')] as const
}

type Counted<Values> = Values & { eventCount: number }
type AttemptWrite = { id: string; attempt: number }

function counted(eb: ExpressionBuilder<Schema, 'executions'>, eventCount: number) {
  return { event_count: eb('event_count', '+', eventCount) }
}

/** The events of a row that come after the one of this number. `last`: the number of the last one. */
function eventsAfter(after: number, last: number, events: StoredEvent[]): StoredEvent[] {
  return events.slice(Math.max(0, after - (last - events.length)))
}
