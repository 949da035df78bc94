import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { requireQuota } from './require-quota.ts'

/** Checks within the transaction in which another batch of the account begins to run. Throws `QuotaReached`. */
export async function requireFewRunning(
  trx: Kysely<Schema>,
  dialect: Dialect,
  accountId: string,
  limit: number,
): Promise<void> {
  const batches = trx.selectFrom('batches').where('account_id', '=', accountId)
  const running = batches.where('status', '=', 'running').where('deleted_at', 'is', null)
  await requireQuota(trx, dialect, { accountId, quota: 'batchesRunning', limit }, running)
}
