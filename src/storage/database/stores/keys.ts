import type { Kysely } from 'kysely'
import type { Account } from '../../../domain/accounts/account.ts'
import type { Grant, Key, KeySettings, KeyStore } from '../../../domain/accounts/key.ts'
import type { Dialect } from '../dialect.ts'
import type { AccountRow, KeyRow, Schema } from '../schema.ts'
import { recording } from '../sql/audit.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { insertingKeys } from '../sql/insert-key.ts'
import { prepared } from '../sql/prepared.ts'
import type { Quotas } from '../sql/quotas.ts'
import { readCounted } from '../sql/read-page.ts'
import { toAccount } from './accounts.ts'

export function createKeyStore(db: Kysely<Schema>, dialect: Dialect, quotas: Quotas): KeyStore {
  const selectByHash = prepared(({ hash }: { hash: string }) =>
    db
      .selectFrom('keys')
      .innerJoin('accounts', 'accounts.id', 'keys.account_id')
      .selectAll('keys')
      .select(accountColumns)
      .where('keys.hash', '=', hash)
      .where('accounts.deleted_at', 'is', null),
  )

  const { create, replace } = insertingKeys(
    db,
    dialect,
    quotas,
    { table: 'keys', noun: 'key', quota: 'keys' },
    (trx, row: KeyRow) => trx.insertInto('keys').values(row).execute(),
  )

  return {
    create: (key, bounds, record) => create(toRow(key), bounds, record),
    replace: (oldId, until, key, bounds, record) => replace(oldId, until, toRow(key), bounds, record),

    async findByHash(hash) {
      const [row] = (await selectByHash(db, { hash })).rows
      return row && toKeyAndAccount(row)
    },

    async find(id) {
      const row = await db.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toKey(row)
    },

    async list(accountId) {
      const rows = await db
        .selectFrom('keys')
        .selectAll()
        .$if(accountId !== undefined, (query) => query.where('account_id', '=', String(accountId)))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toKey)
    },

    async listPage(accountId, page, workflowId) {
      let matching = db.selectFrom('keys').where('account_id', '=', accountId)
      if (workflowId !== undefined) matching = matching.where('workflow_id', '=', workflowId)
      return readCounted(page, {
        table: db.selectFrom('keys'),
        matching,
        columns: (rows) => rows.selectAll(),
        count: matching.select((eb) => eb.fn.countAll<number>().as('total')),
        toItem: toKey,
      })
    },

    async update(id, settings) {
      return inTransaction(db, (trx) =>
        recording(trx, 'keys', { id }, 'key.update', async () => {
          const result = await trx
            .updateTable('keys')
            .set({ ...settingColumns(settings), expires_at: settings.expiresAt })
            .where('id', '=', id)
            .executeTakeFirst()
          return result.numUpdatedRows > 0n
        }),
      )
    },

    async revoke(id, at) {
      await inTransaction(db, (trx) =>
        recording(trx, 'keys', { id }, 'key.revoke', async () => {
          const result = await trx
            .updateTable('keys')
            .set({ revoked_at: at })
            .where('id', '=', id)
            .where((eb) => eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', at)]))
            .executeTakeFirst()
          return result.numUpdatedRows > 0n
        }),
      )
    },

    async noteUse(id, at) {
      await db.updateTable('keys').set({ last_used_at: at }).where('id', '=', id).execute()
    },
  }
}

/** Columns of the account, next to all columns of its key. */
export const accountColumns = [
  'accounts.name as account_name',
  'accounts.plan as account_plan',
  'accounts.rate_limit as account_rate_limit',
  'accounts.created_at as account_created_at',
  'accounts.monthly_budget_micros as account_monthly_budget_micros',
  'accounts.url_secret as account_url_secret',
  'accounts.has_private_images as account_has_private_images',
  'accounts.storage_bytes_max as account_storage_bytes_max',
  'accounts.suspended_at as account_suspended_at',
] as const

interface KeyAndAccountRow extends KeyRow {
  account_name: AccountRow['name']
  account_plan: AccountRow['plan']
  account_rate_limit: AccountRow['rate_limit']
  account_created_at: AccountRow['created_at']
  account_monthly_budget_micros: AccountRow['monthly_budget_micros']
  account_url_secret: AccountRow['url_secret']
  account_has_private_images: AccountRow['has_private_images']
  account_storage_bytes_max: AccountRow['storage_bytes_max']
  account_suspended_at: AccountRow['suspended_at']
}

export function toKeyAndAccount(row: KeyAndAccountRow): { key: Key; account: Account } {
  const account = toAccount({
    id: row.account_id,
    name: row.account_name,
    plan: row.account_plan,
    rate_limit: row.account_rate_limit,
    created_at: row.account_created_at,
    monthly_budget_micros: row.account_monthly_budget_micros,
    url_secret: row.account_url_secret,
    has_private_images: row.account_has_private_images,
    storage_bytes_max: row.account_storage_bytes_max,
    suspended_at: row.account_suspended_at,
  })
  return { key: toKey(row), account }
}

function toKey(row: KeyRow): Key {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    hash: row.hash,
    permissions: JSON.parse(row.permissions) as Grant[],
    dailyBudget: row.daily_budget_micros,
    monthlyBudget: row.monthly_budget_micros,
    budgetId: row.budget_id,
    workflowId: row.workflow_id,
    executionsPerMinute: row.executions_per_minute,
    exampleImageId: row.example_image_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }
}

function settingColumns({ name, dailyBudget, monthlyBudget, executionsPerMinute, exampleImageId }: KeySettings) {
  return {
    name,
    daily_budget_micros: dailyBudget,
    monthly_budget_micros: monthlyBudget,
    executions_per_minute: executionsPerMinute,
    example_image_id: exampleImageId,
  }
}

function toRow(key: Key): KeyRow {
  return {
    id: key.id,
    account_id: key.accountId,
    ...settingColumns(key),
    prefix: key.prefix,
    hash: key.hash,
    permissions: JSON.stringify(key.permissions),
    budget_id: key.budgetId,
    workflow_id: key.workflowId,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
  }
}
