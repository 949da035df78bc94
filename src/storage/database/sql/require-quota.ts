import type { Kysely } from 'kysely'
import { QuotaReached } from '../../../domain/quota.ts'
import { limits } from '../../../limits.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { listTotal } from './list-total.ts'
import { prepared } from './prepared.ts'

const quotas = { workflows: limits.workflowsMax, drafts: limits.draftsMax }

export type RequireQuota = (trx: Kysely<Schema>, accountId: string, quota: keyof typeof quotas) => Promise<void>

/**
 * Throws `QuotaReached` unless the account can have another record of the kind, however many are created at the same time. Locks the account before
 * any row of a workflow, because the creation of a workflow locks the workflows that it uses after the account.
 */
export function requiringQuota(db: Kysely<Schema>, dialect: Dialect): RequireQuota {
  const lock = prepared(({ accountId }: { accountId: string }) =>
    dialect.lockRows(db.selectFrom('accounts').select('id').where('id', '=', accountId)),
  )
  const count = prepared(({ accountId, list }: { accountId: string; list: string }) => listTotal(db, accountId, list))

  return async (trx, accountId, quota) => {
    await lock(trx, { accountId })
    const { rows } = await count(trx, { accountId, list: quota })
    if (Number(rows[0]?.total) >= quotas[quota]) throw new QuotaReached(quota, quotas[quota])
  }
}
