import type { Insertable, Kysely } from 'kysely'
import type { Account, AccountStore } from '../../../domain/accounts/account.ts'
import type { PlanName } from '../../../domain/accounts/plan.ts'
import { isTwin, twinOf } from '../../../domain/accounts/twin.ts'
import type { Dialect } from '../dialect.ts'
import type { AccountRow, Schema } from '../schema.ts'
import { recordChange, recording } from '../sql/audit.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { insertNew } from '../sql/insert.ts'

export function createAccountStore(db: Kysely<Schema>, dialect: Dialect): AccountStore {
  return {
    async create(account) {
      await insertNew(dialect, 'account', () =>
        inTransaction(db, async (trx) => {
          await trx.insertInto('accounts').values(toRow(account)).execute()
          // The key that needs the twin is in the audit log.
          if (!isTwin(account.id)) await recordChange(trx, 'accounts', { id: account.id }, 'account.create')
        }),
      )
    },

    async find(id) {
      const row = await db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return row && toAccount(row)
    },

    async list() {
      const rows = await db
        .selectFrom('accounts')
        .selectAll()
        .where('deleted_at', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map(toAccount)
    },

    async update(id, change) {
      const columns = {
        ...(change.plan !== undefined && { plan: change.plan }),
        ...(change.rateLimit !== undefined && { rate_limit: change.rateLimit }),
        ...(change.monthlyBudget !== undefined && { monthly_budget_micros: numberOrNone(change.monthlyBudget) }),
        ...(change.storageBytesMax !== undefined && { storage_bytes_max: numberOrNone(change.storageBytesMax) }),
        ...(change.suspendedAt !== undefined && { suspended_at: change.suspendedAt }),
      }
      // Sets a column to itself, so that an update without changes also shows whether the account exists.
      return inTransaction(db, (trx) =>
        recording(trx, 'accounts', { id }, 'account.update', async () => {
          // Before the account, which it may wait for: the twin has the same plan, and none without it.
          const { plan, suspended_at } = columns
          if (plan !== undefined || suspended_at !== undefined)
            await trx
              .updateTable('accounts')
              .set({ ...(plan !== undefined && { plan }), ...(suspended_at !== undefined && { suspended_at }) })
              .where('id', '=', twinOf(id))
              .execute()
          const result = await trx
            .updateTable('accounts')
            .set((eb) => ({ name: eb.ref('name'), ...columns }))
            .where('id', '=', id)
            .where('deleted_at', 'is', null)
            .executeTakeFirst()
          return result.numUpdatedRows > 0n
        }),
      )
    },

    async markDeleted(id, now) {
      const { numUpdatedRows } = await db
        .updateTable('accounts')
        .set((eb) => ({ deleted_at: eb.fn.coalesce('deleted_at', eb.val(now)) }))
        .where('id', 'in', [id, twinOf(id)])
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async listDeleted(since) {
      const rows = await db.selectFrom('accounts').select('id').where('deleted_at', '<=', since).execute()
      return rows.map(({ id }) => id)
    },
  }
}

export function toAccount(row: Omit<AccountRow, 'deleted_at'>): Account {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan as PlanName,
    rateLimit: row.rate_limit,
    createdAt: row.created_at,
    ...(row.monthly_budget_micros !== null && { monthlyBudget: fromColumn(row.monthly_budget_micros) }),
    ...(row.storage_bytes_max !== null && { storageBytesMax: fromColumn(row.storage_bytes_max) }),
    ...(row.url_secret === '' ? {} : { urlSecret: row.url_secret }),
    ...(row.has_private_images === 1 ? { hasPrivateImages: true as const } : {}),
    ...(row.suspended_at !== null && { suspendedAt: row.suspended_at }),
  }
}

function toRow(account: Account): Insertable<AccountRow> {
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    rate_limit: account.rateLimit,
    created_at: account.createdAt,
    monthly_budget_micros: numberOrNone(account.monthlyBudget ?? null),
    storage_bytes_max: numberOrNone(account.storageBytesMax ?? null),
    url_secret: account.urlSecret ?? '',
    has_private_images: account.hasPrivateImages ? 1 : 0,
    ...(account.suspendedAt !== undefined && { suspended_at: account.suspendedAt }),
  }
}

/**
 * Part of the transaction that makes an image or a project private. Only the first one of an account writes, so that later ones don't wait for each other.
 * Outputs of test keys are in the projects of the live account.
 */
export async function notePrivateImages(trx: Kysely<Schema>, accountId: string): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ has_private_images: 1 })
    .where('id', 'in', [accountId, twinOf(accountId)])
    .where('has_private_images', '=', 0)
    .execute()
}

/** Value of no maximum. */
const none = -1

function numberOrNone(maximum: number | 'none' | null): number | null {
  return maximum === 'none' ? none : maximum
}

function fromColumn(maximum: number): number | 'none' {
  return maximum === none ? 'none' : maximum
}
