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

/** A number of the plan of the account in the row `a`. One that is suspended or deleted has the numbers of a plan without API access. */
export function ofPlan(numberOf: (plan: (typeof plans)[PlanName]) => number): RawBuilder<number> {
  const cases = planNames.map((name) => sql`when ${sql.lit(name)} then ${sql.lit(numberOf(plans[name]))}`)
  return sql`case case when a.suspended_at is null and a.deleted_at is null then a.plan else 'free' end ${sql.join(cases, sql` `)} else 0 end`
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
  const move = prepared(({ account, start, pass }: { account: string; start: number; pass: number }) =>
    db.updateTable('account_queues').set({ pass, last_pass: start }).where('account_id', '=', account),
  )
  return async (begin: Start, except: readonly string[]) => {
    // A worker with a slot for other accounts looks for one at every submission, mostly in vain: that needs no write lock.
    if (except.length > 0 && (await nextTurn(except).execute(db)).rows.length === 0) return undefined
    return inTransaction(db, async (trx) => {
      const found = except.length === 0 ? await next(trx, {}) : await nextTurn(except).execute(trx)
      const [turn] = found.rows
      if (turn === undefined) return undefined
      const { account_id: account, start, pass } = turn
      await move(trx, { account, start, pass })
      const [row] = await startFirst(trx, { ...begin, account }, [startedAt(begin.now)])
      return row
    })
  }
}

function startedAt(now: number): StoredEvent {
  return { status: 'running', at: now }
}

/** The latest turn of any account, read once for each statement. */
export const latestTurn = sql`(select coalesce(max(last_pass), 0) as pass from account_queues) as latest`
/** The pass at which a turn begins, of an account with this pass. */
export function startOfTurn(pass: RawBuilder<unknown>): RawBuilder<number> {
  return sql`case when ${pass} > latest.pass then ${pass} else latest.pass end`
}

/** The account that has the next turn, and its pass now, at the beginning and after it. */
function nextTurn(except: readonly string[], lock = sql``) {
  const others = except.length === 0 ? sql`` : sql`and account_id not in (${sql.join(except)})`
  return sql<{ account_id: string; start: number; pass: number }>`
    select account_id, before, start, start + case when waiting = 1 then ${sql.lit(shortestStride)}
      else ${sql.lit(fullStride)} / ${ofPlan(({ weight }) => Math.max(1, weight))} end as pass
    from (
      select ready.account_id, ready.waiting, ready.pass as before, ${startOfTurn(sql`ready.pass`)} as start
      from (
        select account_id, waiting, pass from account_queues
        where may_start = 1 ${others} order by pass, account_id limit 1 ${lock}) as ready
      cross join ${latestTurn}) as turn
    join accounts as a on a.id = turn.account_id`
}

/**
 * One statement, so that a process that stops in the middle leaves no lock behind. It passes over accounts that another claim or submission
 * has locked, and the caller looks again. It starts nothing if another claim has moved the account since this statement began: it is the turn of another
 * account then. The account is chosen by one index alone: with a condition on other tables, PostgreSQL sorts all accounts that wait if it expects few.
 */
function claimStatement(db: Kysely<Schema>, values: Start & Appended, except: readonly string[]) {
  const turn = nextTurn(except, sql`for update skip locked`)
  const first = firstWaiting(db, sql`(select account_id from turn)`).forUpdate().skipLocked()
  // An update looks for the row as it was when the statement began.
  const moved = sql`update account_queues as q set pass = turn.pass, last_pass = turn.start from turn
    where q.account_id = turn.account_id and q.pass = turn.before and exists (select 1 from first)
    returning q.account_id`
  const change = started(db, values)
    .where('id', '=', sql<string>`(select id from first)`)
    .where(sql<boolean>`exists (select 1 from moved)`)
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
