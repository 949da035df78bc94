/** Adds an execution to the queue of its account, unless as many wait as may: exact, however many processes submit. */
import { type Kysely, sql } from 'kysely'
import { TooManyWaiting } from '../../domain/execution.ts'
import { isPlanName, plans } from '../../domain/plan.ts'
import { activePlans, ofPlan } from './claim-next.ts'
import type { Dialect } from './dialect.ts'
import { prepared } from './prepared.ts'
import type { ExecutionRow, Schema } from './schema.ts'

/** Throws `TooManyWaiting`, with nothing written. `waitingMax`: of all accounts together. */
export type InsertWaiting = (db: Kysely<Schema>, row: ExecutionRow, waitingMax: number) => Promise<void>

export function insertingWaiting(db: Kysely<Schema>, dialect: Dialect): InsertWaiting {
  const insert = prepared(
    ({ waitingMax, shareMax, ...row }: ExecutionRow & { waitingMax: number; shareMax: number }) => {
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
        .where(waitingInAll(db), '<', waitingMax)
      return db.insertInto('executions').columns(columns).expression(dialect.lockRows(room))
    },
  )

  return async (within, row, waitingMax) => {
    const shareMax = shareOf(waitingMax)
    const hasInserted = async (db: Kysely<Schema>, limit: number) =>
      (await insert(db, { ...row, waitingMax: limit, shareMax })).numAffectedRows === 1n
    // Far from the limit of all accounts the sum may be out of date by those that are being added.
    if (await hasInserted(within, waitingMax - dialect.unseenWritersMax)) return
    await refuseAtLimit(within, row.account_id, shareMax)
    const add = async (trx: Kysely<Schema>) => {
      await dialect.oneAtATime(trx)
      if (await hasInserted(trx, waitingMax)) return
      await refuseAtLimit(trx, row.account_id, shareMax)
      throw new TooManyWaiting('service', waitingMax)
    }
    await (within.isTransaction ? add(within) : within.transaction().execute(add))
  }
}

/** Of all accounts with API access. Takes as long as there are accounts that wait, however many executions do. */
export function waitingInAll(db: Kysely<Schema>) {
  return db
    .selectFrom('account_queues as each')
    .innerJoin('accounts as owner', 'owner.id', 'each.account_id')
    .select(sql<number>`coalesce(sum(each.waiting), 0)`.as('waiting'))
    .where('each.waiting', '>', sql.lit(0))
    .where(
      'owner.plan',
      'in',
      activePlans.map((name) => sql.lit(name)),
    )
}

/** Throws if as many executions of this account wait as may. */
async function refuseAtLimit(db: Kysely<Schema>, accountId: string, shareMax: number): Promise<void> {
  const row = await db
    .selectFrom('account_queues')
    .innerJoin('accounts', 'accounts.id', 'account_queues.account_id')
    .select(['waiting', 'plan'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (row === undefined || !isPlanName(row.plan)) return
  const limit = Math.min(plans[row.plan].waitingMax, shareMax)
  if (Number(row.waiting) >= limit) throw new TooManyWaiting('account', limit)
}

/** So that no account alone reaches the limit of all: half of it, at least one. */
function shareOf(waitingMax: number): number {
  return Math.max(1, Math.floor(waitingMax / 2))
}
