/** Counts the quotas of accounts: see the table in domain/accounts/quota.ts. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { planNames } from '../../../domain/accounts/plan.ts'
import {
  countedTextBytesMin,
  type Month,
  maximumOf,
  monthOf,
  type Quota,
  QuotaReached,
  type QuotaSettings,
  type QuotaStore,
  type QuotaUse,
  quotaRow,
} from '../../../domain/accounts/quota.ts'
import type { Dialect } from '../dialect.ts'
import type { ExecutionRow, Schema } from '../schema.ts'
import { endsAt } from './ended-keys.ts'

type NewExecutionRow = Pick<ExecutionRow, 'images_reserved'> & Month

export interface Quotas {
  /**
   * Runs a write that adds to these quotas of an account. Throws `QuotaReached`, so that the transaction rolls back, if it exceeds one of them, however
   * many records are added at the same time. Locks the account before any row of a workflow, because the creation of a workflow locks the workflows that it
   * uses after the account. `now`: of the record, for keys.
   */
  within<Result>(
    trx: Kysely<Schema>,
    { accountId, now }: { accountId: string; now?: number },
    quotas: readonly Quota[],
    write: () => Promise<Result>,
  ): Promise<Result>
  /** The condition that the account in the row `q` of `account_queues` may add an execution. */
  admits(row: NewExecutionRow): RawBuilder<boolean>
  /** Throws `QuotaReached` if a quota excludes this execution. */
  requireAdmitted(db: Kysely<Schema>, row: ExecutionRow): Promise<void>
  /** Call it in a transaction before `admits`: images that others add at the same time are counted then. */
  lockForAdmission(trx: Kysely<Schema>, row: ExecutionRow): Promise<void>
  /** Whether `lockForAdmission` has to be called. */
  locksForAdmission: boolean
  read: (db: Kysely<Schema>, ...of: Parameters<QuotaStore['read']>) => Promise<QuotaUse[]>
}

/** More than any number of records or bytes. As literal text, it is a bigint on PostgreSQL. */
const unlimited = Number.MAX_SAFE_INTEGER

export function createQuotas(dialect: Dialect, settings: QuotaSettings): Quotas {
  const maximaOf = (quota: Quota) => planNames.map((plan) => maximumOf(quota, plan, settings))
  /** Whether some account can have a maximum. An account can have its own one of stored bytes. */
  const isLimited = (quota: Quota) => quota === 'storageBytes' || maximaOf(quota).some((max) => max !== null)

  /** The maximum of the account in the row `a`. */
  function limitOf(quota: Quota): RawBuilder<number> {
    const maxima = maximaOf(quota).map((max) => sql.lit(max ?? unlimited))
    const cases = planNames.map((plan, i) => sql`when ${sql.lit(plan)} then ${maxima[i]}`)
    const ofPlan = sql<number>`case a.plan ${sql.join(cases, sql` `)} else ${sql.lit(unlimited)} end`
    if (quota !== 'storageBytes') return ofPlan
    return sql`case when a.storage_bytes_max = -1 then ${sql.lit(unlimited)} else coalesce(a.storage_bytes_max, ${ofPlan}) end`
  }

  async function read(db: Kysely<Schema>, accountId: string, quotas: readonly Quota[], now: number) {
    const columns = quotas.flatMap((quota, i) => [
      sql`${usedOf(quota, { ...monthOf(now), now })} as ${sql.id(`used_${i}`)}`,
      sql`${limitOf(quota)} as ${sql.id(`limit_${i}`)}`,
    ])
    const { rows } = await sql<Record<string, number>>`
      select ${sql.join(columns)} from accounts as a join account_queues as q on q.account_id = a.id
      where a.id = ${accountId}`.execute(db)
    return rows.flatMap((row) =>
      quotas.map((quota, i): QuotaUse => {
        const limit = Number(row[`limit_${i}`])
        return { quota, used: Number(row[`used_${i}`]), limit: limit >= unlimited ? null : limit }
      }),
    )
  }

  async function limited(db: Kysely<Schema>, accountId: string, quotas: readonly Quota[]): Promise<Quota[]> {
    const some = quotas.filter(isLimited)
    if (some.length === 0) return []
    const columns = some.map((quota, i) => sql`${limitOf(quota)} as ${sql.id(`limit_${i}`)}`)
    const { rows } = await sql<Record<string, number>>`
      select ${sql.join(columns)} from accounts as a where a.id = ${accountId}`.execute(db)
    return some.filter((_, i) => Number(rows[0]?.[`limit_${i}`] ?? unlimited) < unlimited)
  }

  const countedForExecutions = (['executions', 'images', 'storageBytes'] as const).filter(isLimited)
  const locksForAdmission = isLimited('images')

  /** How much the execution adds. Files of delivery URLs aren't images, and have a separate maximum of bytes. */
  function added(quota: Quota, row: NewExecutionRow): RawBuilder<number> {
    if (quota === 'images') return sql`cast(${row.images_reserved} as bigint)`
    return quota === 'executions' ? sql`1` : sql`case when ${row.images_reserved} > 0 then 1 else 0 end`
  }

  return {
    read,
    locksForAdmission,

    async within(trx, { accountId, now = 0 }, quotas, write) {
      const names = await limited(trx, accountId, quotas)
      if (names.length === 0) return write()
      await lockAccount(trx, dialect, accountId)
      const before = await read(trx, accountId, names, now)
      const result = await write()
      const after = await read(trx, accountId, names, now)
      for (const [i, { quota, used, limit }] of after.entries()) {
        const usedBefore = before[i]?.used ?? 0
        if (limit !== null && used > limit && used > usedBefore)
          throw new QuotaReached(quota, { limit, used: usedBefore })
      }
      return result
    },

    admits(row) {
      if (countedForExecutions.length === 0) return sql`1 = 1`
      const conditions = countedForExecutions.map((quota) => {
        const more = added(quota, row)
        const limit = limitOf(quota)
        // The use is read last: of an account without a maximum, not at all.
        return sql`(${more} = 0 or ${limit} = ${sql.lit(unlimited)} or ${usedOf(quota, { ...row, now: 0 })} + ${more} <= ${limit})`
      })
      return sql`exists (select 1 from accounts as a where a.id = q.account_id and ${sql.join(conditions, sql` and `)})`
    },

    async requireAdmitted(db, row) {
      const reserved = row.images_reserved
      const more: Partial<Record<Quota, number>> = {
        executions: 1,
        images: reserved,
        storageBytes: Math.min(reserved, 1),
      }
      for (const { quota, used, limit } of await read(db, row.account_id, countedForExecutions, row.created_at)) {
        const adds = more[quota] ?? 0
        if (limit !== null && adds > 0 && used + adds > limit)
          throw new QuotaReached(quota, { limit, used }, quota === 'executions' ? row.created_at : undefined)
      }
    },

    async lockForAdmission(trx, row) {
      if (locksForAdmission && row.images_reserved > 0) await lockAccount(trx, dialect, row.account_id)
    },
  }
}

/** The use of the account in the rows `a` and `q`. */
function usedOf(quota: Quota, { month, monthStart, monthEnd, now }: Month & { now: number }): RawBuilder<number> {
  const { counted } = quotaRow(quota)
  // The row has the month of the last execution, like its trigger: a clock that was wrong can have counted another one.
  if ('month' in counted)
    return sql`case when q.month = ${month} then q.month_executions else (select count(*) from executions
      where account_id = q.account_id and created_at >= ${monthStart} and created_at < ${monthEnd}) end`
  if ('totals' in counted) {
    const total = sql<number>`(select coalesce(sum(total), 0) from list_totals
      where account_id = q.account_id and list in (${sql.join(counted.totals.map((list) => sql.lit(list)))}) and value = '')`
    return counted.withReserved ? sql`${total} + q.images_reserved` : total
  }
  const { rows, where = {}, sum, isValid } = counted
  const conditions = Object.entries(where).map(([column, values]) =>
    values === null
      ? sql`${sql.ref(column)} is null`
      : sql`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`,
  )
  // Like `isLive` of the domain, but without its tolerance for clocks: a key may count for a second longer.
  if (isValid) conditions.push(sql`${endsAt} > ${now}`)
  const count = sum === undefined ? sql`count(*)` : sql`coalesce(sum(${sql.ref(sum)}), 0)`
  const all = [sql`account_id = a.id`, ...conditions]
  return sql`(select ${count} from ${sql.table(rows)} where ${sql.join(all, sql` and `)})`
}

/** The quotas to which a document adds: a long one counts as stored bytes. */
export function quotasOf(document: object | undefined): Quota[] {
  const bytes = document === undefined ? 0 : Buffer.byteLength(JSON.stringify(document))
  return bytes < countedTextBytesMin ? [] : ['storageBytes']
}

export function createQuotaStore(db: Kysely<Schema>, { read }: Quotas): QuotaStore {
  return {
    read: (...of) => read(db, ...of),
    async require(accountId, quotas, now) {
      for (const { quota, used, limit } of await read(db, accountId, quotas, now))
        if (limit !== null && used >= limit)
          throw new QuotaReached(quota, { limit, used }, quota === 'executions' ? now : undefined)
    },
  }
}

/** Locks the account: of several transactions that count its records, each counts those of the transactions before it. */
export async function lockAccount(trx: Kysely<Schema>, dialect: Dialect, accountId: string): Promise<void> {
  await dialect.lockRows(trx.selectFrom('accounts').select('id').where('id', '=', accountId)).execute()
}
