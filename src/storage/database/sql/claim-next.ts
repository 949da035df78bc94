/**
 * Which execution starts next: stride scheduling between accounts, and an order within each.
 *
 * Each account has a virtual time, its pass. The account with the smallest pass has the next turn; its pass then moves on by a
 * stride, which is shorter the larger the weight of its plan. An account that had nothing to do saves up no turns, because its
 * turn counts from the latest turn of anyone; and it owes none, because a turn that leaves it with nothing waiting costs the
 * shortest stride.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type PlanName, planNames, plans } from '../../../domain/accounts/plan.ts'
import type { StoredEvent } from '../../../domain/executions/execution.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { type Appended, appended, changeAndAppend, withEvents } from '../stores/execution-events.ts'
import { executionColumns } from './execution-row.ts'
import { inTransaction } from './in-transaction.ts'
import { nextAttempt } from './next-attempt.ts'
import { prepared } from './prepared.ts'

type Start = { now: number; worker: string | null }

export const activePlans = planNames.filter((name) => plans[name].apiAccess)
/** Divisible by every weight. */
const fullStride = 1_000_000
/** One less, so that an account that comes back goes before one that has used its turn. */
export const shortestStride = fullStride / Math.max(...activePlans.map((name) => plans[name].weight)) - 1

/** A number of the plan of the account in the row `a`. */
export function ofPlan(numberOf: (plan: (typeof plans)[PlanName]) => number): RawBuilder<number> {
  const cases = planNames.map((name) => sql`when ${sql.lit(name)} then ${sql.lit(numberOf(plans[name]))}`)
  return sql`case a.plan ${sql.join(cases, sql` `)} else 0 end`
}

/** Starts the next execution and returns its row. `except`: accounts that are not considered. */
export function claimingNext(db: Kysely<Schema>, dialect: Dialect) {
  if (dialect.changesInOneStatement) {
    const claim = prepared((values: Start & Appended) => claimStatement(db, values, []))
    return async ({ now, worker }: Start, except: readonly string[]) => {
      const values = { now, worker, ...appended([startedAt(now)]) }
      if (except.length === 0) return (await claim(db, values)).rows[0]
      return (await db.executeQuery(claimStatement(db, values, except).compile())).rows[0]
    }
  }
  const next = prepared(() => ({ compile: () => nextTurn([]).compile(db) }))
  const startFirst = withEvents(
    db,
    dialect,
    ({ account, ...values }: Start & { account: string; eventCount: number }) =>
      started(db, values).where('id', '=', firstWaiting(db, sql`${account}`)),
  )
  const move = prepared(({ account, start, pass, fills }: Omit<Turn, 'account_id'> & { account: string }) =>
    db.updateTable('account_queues').set({ pass, last_pass: start, is_full: fills }).where('account_id', '=', account),
  )
  return async (begin: Start, except: readonly string[]) => {
    // A worker with a slot for other accounts looks for one at every submission, mostly in vain: that needs no write lock.
    if (except.length > 0 && (await nextTurn(except).execute(db)).rows.length === 0) return undefined
    return inTransaction(db, async (trx) => {
      const found = except.length === 0 ? await next(trx, {}) : await nextTurn(except).execute(trx)
      const [turn] = found.rows
      if (turn === undefined) return undefined
      const { account_id: account, ...moved } = turn
      await move(trx, { account, ...moved })
      const [row] = await startFirst(trx, { ...begin, account }, [startedAt(begin.now)])
      return row
    })
  }
}

function startedAt(now: number): StoredEvent {
  return { status: 'running', at: now }
}

const latestTurn = sql`(select coalesce(max(last_pass), 0) from account_queues)`
/** The pass at which a turn of the account in the row `q` begins. */
export const startOfTurn: RawBuilder<number> = sql`case when q.pass > ${latestTurn} then q.pass else ${latestTurn} end`

const runningMax = ofPlan((plan) => plan.runningMax)

/** Whether another start of the account in the row `q` reaches its limit: 0 or 1. */
export function fillsQueue(limit: RawBuilder<number>): RawBuilder<number> {
  return sql`case when q.running + 1 >= ${limit} then 1 else 0 end`
}

interface Turn {
  account_id: string
  /** The pass before the turn. */
  start: number
  /** The pass after it. */
  pass: number
  /** Whether the account then runs as many executions as it may. */
  fills: 0 | 1
}

/** The account that has the next turn. */
function nextTurn(except: readonly string[], { condition = sql``, lock = sql`` } = {}) {
  const others = except.length === 0 ? sql`` : sql`and q.account_id not in (${sql.join(except)})`
  return sql<Turn>`
    select account_id, start, start + stride as pass, fills from (
      select q.account_id,
        q.pass as passed,
        ${startOfTurn} as start,
        ${fillsQueue(runningMax)} as fills,
        case when q.waiting = 1 then ${sql.lit(shortestStride)}
          else ${sql.lit(fullStride)} / ${ofPlan(({ weight }) => Math.max(1, weight))} end as stride
      from account_queues as q join accounts as a on a.id = q.account_id
      where q.may_start = 1 ${others} and q.running < ${runningMax}
      order by q.pass, q.account_id limit 1 ${lock}) as turn ${condition}`
}

/**
 * One statement, so that a process that stops in the middle leaves no lock behind. It passes over accounts that another claim or submission
 * has locked, and the caller looks again. It starts nothing if another claim has moved the account since this statement began: it is the turn of another
 * account then. This is compared after the account was chosen, so that the order of the index is the only plan: PostgreSQL expects such a condition to
 * exclude almost all rows, and would sort them.
 */
function claimStatement(db: Kysely<Schema>, values: Start & Appended, except: readonly string[]) {
  const turn = nextTurn(except, {
    condition: sql`where passed = (select pass from account_queues as before where before.account_id = turn.account_id)`,
    lock: sql`for update of q skip locked`,
  })
  const first = firstWaiting(db, sql`(select account_id from turn)`).forUpdate().skipLocked()
  const moved = sql`update account_queues set pass = turn.pass, last_pass = turn.start, is_full = turn.fills from turn
    where account_queues.account_id = turn.account_id and exists (select 1 from first)
    returning account_queues.account_id`
  const change = started(db, values).where('id', '=', sql<string>`(select id from first)`)
  return changeAndAppend(db, change, values, { before: { turn, first, moved } })
}

function firstWaiting(db: Kysely<Schema>, account: RawBuilder<string>) {
  return db
    .selectFrom('executions')
    .select('id')
    .where('account_id', '=', account)
    .where('status', '=', sql.lit('pending'))
    .orderBy('rank')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
}

function started(db: Kysely<Schema>, { now, worker, eventCount }: Start & { eventCount: number }) {
  return db
    .updateTable('executions')
    .set((eb) => ({
      ...nextAttempt(eb),
      status: 'running',
      started_at: now,
      worker_id: worker,
      event_count: eb('event_count', '+', eventCount),
    }))
    .returning(executionColumns)
}
