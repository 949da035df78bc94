import type { Kysely } from 'kysely'
import { QuotaReached } from '../../../domain/quota.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { listTotal } from './list-total.ts'

/**
 * Throws `QuotaReached` unless the account can have another row in the list, however many are created at the same time. Locks the account before
 * any row of a workflow, because the creation of a workflow locks the workflows that it uses after the account.
 */
export async function requireQuota(
  trx: Kysely<Schema>,
  dialect: Dialect,
  accountId: string,
  list: 'workflows' | 'drafts',
  ofAccountMax: number,
): Promise<void> {
  await dialect.lockRows(trx.selectFrom('accounts').select('id').where('id', '=', accountId)).execute()
  const { total } = await listTotal(trx, accountId, list).executeTakeFirstOrThrow()
  if (Number(total) >= ofAccountMax) throw new QuotaReached(list, ofAccountMax)
}
