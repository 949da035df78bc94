import type { Kysely, SelectQueryBuilder } from 'kysely'
import { type Quota, QuotaReached } from '../../../domain/accounts/quota.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { listTotal } from './list-total.ts'

interface OfAccount {
  accountId: string
  quota: Quota
  limit: number
}

/**
 * Throws `QuotaReached` unless the account can have another record of the kind, however many are created at the same time. Locks the account before
 * any row of a workflow, because the creation of a workflow locks the workflows that it uses after the account. Counts `rows` of the transaction;
 * without `rows`, reads the total of the list with the name of the quota.
 */
export async function requireQuota<Table extends keyof Schema>(
  trx: Kysely<Schema>,
  dialect: Dialect,
  { accountId, quota, limit }: OfAccount,
  rows?: SelectQueryBuilder<Schema, Table, object>,
): Promise<void> {
  await lockAccount(trx, dialect, accountId)
  const count = rows?.select((eb) => eb.fn.countAll<number>().as('total')) ?? listTotal(trx, accountId, quota)
  const { total } = await count.executeTakeFirstOrThrow()
  if (Number(total) >= limit) throw new QuotaReached(quota, limit)
}

/**
 * Locks the account: of several transactions that count its records, each counts those of the transactions before it.
 */
export async function lockAccount(trx: Kysely<Schema>, dialect: Dialect, accountId: string): Promise<void> {
  await dialect.lockRows(trx.selectFrom('accounts').select('id').where('id', '=', accountId)).execute()
}
