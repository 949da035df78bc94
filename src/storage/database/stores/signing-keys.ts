import type { Kysely } from 'kysely'
import type { SigningKey, SigningKeySettings, SigningKeyStore } from '../../../domain/delivery/signing-key.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import type { SigningKeyRow } from '../schema-delivery.ts'
import { recording } from '../sql/audit.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { insertingKeys } from '../sql/insert-key.ts'
import type { Quotas } from '../sql/quotas.ts'
import { readCounted } from '../sql/read-page.ts'

export function createSigningKeyStore(db: Kysely<Schema>, dialect: Dialect, quotas: Quotas): SigningKeyStore {
  const { create, replace } = insertingKeys(
    db,
    dialect,
    quotas,
    { table: 'signing_keys', noun: 'signing key', quota: 'signingKeys' },
    (trx, row: SigningKeyRow) => trx.insertInto('signing_keys').values(row).execute(),
  )
  const updateKey = (trx: Kysely<Schema>, accountId: string, id: string) =>
    trx.updateTable('signing_keys').where('id', '=', id).where('account_id', '=', accountId)

  return {
    create: (key, bounds, record) => create(toRow(key), bounds, record),
    replace: (oldId, until, key, bounds, record) => replace(oldId, until, toRow(key), bounds, record),

    async find(accountId, id) {
      const row = await db
        .selectFrom('signing_keys')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row && toSigningKey(row)
    },

    async list(accountId, page) {
      const matching = db.selectFrom('signing_keys').where('account_id', '=', accountId)
      return readCounted(page, {
        table: db.selectFrom('signing_keys'),
        matching,
        columns: (rows) => rows.selectAll(),
        count: matching.select((eb) => eb.fn.countAll<number>().as('total')),
        toItem: toSigningKey,
      })
    },

    async update(accountId, id, settings) {
      return inTransaction(db, (trx) =>
        recording(trx, 'signing_keys', { id }, 'signingKey.update', async () => {
          const result = await updateKey(trx, accountId, id).set(settingColumns(settings)).executeTakeFirst()
          return result.numUpdatedRows > 0n
        }),
      )
    },

    async revoke(accountId, id, at) {
      await inTransaction(db, (trx) =>
        recording(trx, 'signing_keys', { id }, 'signingKey.revoke', async () => {
          const result = await updateKey(trx, accountId, id)
            .set({ revoked_at: at })
            .where((eb) => eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', at)]))
            .executeTakeFirst()
          return result.numUpdatedRows > 0n
        }),
      )
    },

    async touch(id, now) {
      await db.updateTable('signing_keys').set({ last_used_at: now }).where('id', '=', id).execute()
    },
  }
}

function toSigningKey(row: SigningKeyRow): SigningKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    secret: row.secret,
    workflowIds: row.workflow_ids === null ? null : (JSON.parse(row.workflow_ids) as string[]),
    images: row.images === 1,
    monthlyBudget: row.monthly_budget_micros,
    budgetId: row.budget_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }
}

function settingColumns({ name, workflowIds, images, monthlyBudget }: SigningKeySettings) {
  return {
    name,
    workflow_ids: workflowIds === null ? null : JSON.stringify(workflowIds),
    images: images ? (1 as const) : (0 as const),
    monthly_budget_micros: monthlyBudget,
  }
}

function toRow(key: SigningKey): SigningKeyRow {
  return {
    id: key.id,
    account_id: key.accountId,
    secret: key.secret,
    ...settingColumns(key),
    budget_id: key.budgetId,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
  }
}
