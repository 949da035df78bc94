/**
 * Adds an execution to the queue of its account, unless as many wait as may: exact, however many processes submit.
 *
 * When the limit of all accounts is reached, an account may still fill its fair share: the limit, divided by the number of accounts that have
 * executions waiting. So accounts that fill the limit do not shut out accounts with few executions. Two accounts never exceed the limit, because each has at
 * most half of it. In all, the nth account to exceed it adds at most the nth part: 10 accounts have at most 2.5 times the limit waiting.
 */
import { type Kysely, sql } from 'kysely'
import { isPlanName, plans } from '../../../domain/accounts/plan.ts'
import { type Month, monthOf } from '../../../domain/accounts/quota.ts'
import { TooManyWaiting } from '../../../domain/executions/execution.ts'
import type { Dialect } from '../dialect.ts'
import type { ExecutionRow, Schema } from '../schema.ts'
import { withEvents } from '../stores/execution-events.ts'
import { activePlans, ofPlan } from './claim-next.ts'
import { inTransaction } from './in-transaction.ts'
import type { Quotas } from './quotas.ts'

/** Throws `TooManyWaiting` or `QuotaReached`, with nothing written. `waitingMax`: of all accounts together. */
export type InsertWaiting = (db: Kysely<Schema>, row: ExecutionRow, waitingMax: number) => Promise<void>

export function insertingWaiting(db: Kysely<Schema>, dialect: Dialect, quotas: Quotas): InsertWaiting {
  const insert = withEvents(
    db,
    dialect,
    ({ waitingMax, dividedMax, shareMax, month, monthStart, monthEnd, eventCount, ...columnValues }: NewRow) => {
      const row = { ...columnValues, event_count: eventCount }
      const columns = Object.keys(row) as (keyof ExecutionRow)[]
      const room = db
        .selectFrom('account_queues as q')
        .select((eb) => columns.map((name) => eb.val(row[name]).as(name)))
        .where('q.account_id', '=', row.account_id)
        .where(
          'q.waiting',
          '<',
          sql<number>`(select ${ofPlan((plan) => plan.waitingMax)} from accounts as a where a.id = q.account_id)`,
        )
        .where('q.waiting', '<', shareMax)
        .where(quotas.admits({ images_reserved: row.images_reserved, month, monthStart, monthEnd }))
        .where((eb) => eb.or([eb(waitingInAll(db), '<', waitingMax), eb(accountsTimesWaiting(db), '<=', dividedMax)]))
      const returned = ['id', 'event_count'] as const
      return db.insertInto('executions').columns(columns).expression(dialect.lockRows(room)).returning(returned)
    },
  )

  return async (within, row, waitingMax) => {
    const shareMax = shareOf(waitingMax)
    const month = monthOf(row.created_at)
    const hasInserted = async (db: Kysely<Schema>, bounds: Pick<Bounds, 'waitingMax' | 'dividedMax'>) =>
      (await insert(db, { ...row, ...bounds, ...month, shareMax }, [{ status: 'pending', at: row.created_at }]))
        .length === 1
    const refuse = async (db: Kysely<Schema>) => {
      await refuseAtLimit(db, row.account_id, shareMax)
      await quotas.requireAdmitted(db, row)
    }
    // Far from the limit of all accounts the sum may be out of date by those that are being added.
    if (await hasInserted(within, { waitingMax: waitingMax - dialect.unseenWritersMax, dividedMax: 0 })) return
    await refuse(within)
    const add = async (trx: Kysely<Schema>) => {
      await dialect.oneAtATime(trx)
      // No execution of the account starts until the end, so a refusal names the limit that was reached.
      await dialect
        .lockRows(trx.selectFrom('account_queues').select('account_id').where('account_id', '=', row.account_id))
        .execute()
      if (await hasInserted(trx, { waitingMax, dividedMax: waitingMax })) return
      await refuse(trx)
      throw new TooManyWaiting('service', waitingMax)
    }
    await inTransaction(within, add)
  }
}

type NewRow = ExecutionRow & Bounds & Month & { eventCount: number }

interface Bounds {
  /** Maximum of all accounts together. */
  waitingMax: number
  /** The limit that accounts divide among themselves when it is reached: the same, or 0 where the accounts may be out of date. */
  dividedMax: number
  /** Maximum of this account. */
  shareMax: number
}

/**
 * The number that would wait if each account with executions waiting had as many as the account in the row `q` after
 * this one.
 */
function accountsTimesWaiting(db: Kysely<Schema>) {
  const accounts = waitingAccounts(db).select(sql<number>`count(*)`.as('accounts'))
  return sql<number>`(q.waiting + 1) * (${accounts} + case when q.waiting = 0 then 1 else 0 end)`
}

/**
 * Executions of all accounts with API access that wait. Takes as long as there are accounts that wait, however many
 * executions do.
 */
export function waitingInAll(db: Kysely<Schema>) {
  return waitingAccounts(db).select(sql<number>`coalesce(sum(each.waiting), 0)`.as('waiting'))
}

/** Accounts with API access that have executions waiting. */
export function waitingAccounts(db: Kysely<Schema>) {
  return db
    .selectFrom('account_queues as each')
    .innerJoin('accounts as owner', 'owner.id', 'each.account_id')
    .where('each.may_start', 'is not', null)
    .where(
      'owner.plan',
      'in',
      activePlans.map((name) => sql.lit(name)),
    )
    .where('owner.suspended_at', 'is', null)
    .where('owner.deleted_at', 'is', null)
}

/** Throws if as many executions of this account wait as may. */
async function refuseAtLimit(db: Kysely<Schema>, accountId: string, shareMax: number): Promise<void> {
  const row = await db
    .selectFrom('account_queues')
    .innerJoin('accounts', 'accounts.id', 'account_queues.account_id')
    .select(['waiting', 'plan', 'suspended_at', 'deleted_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (row === undefined || !isPlanName(row.plan)) return
  const isActive = row.suspended_at === null && row.deleted_at === null
  const limit = isActive ? Math.min(plans[row.plan].waitingMax, shareMax) : 0
  if (Number(row.waiting) >= limit) throw new TooManyWaiting('account', limit)
}

/** So that no account alone reaches the limit of all: half of it, at least one. */
function shareOf(waitingMax: number): number {
  return Math.max(1, Math.floor(waitingMax / 2))
}
