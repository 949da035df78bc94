import type { Kysely } from 'kysely'
import type { Grant, Key, KeyStore } from '../../domain/key.ts'
import { toAccount } from './accounts.ts'
import type { Dialect } from './dialect.ts'
import { insertNew } from './insert.ts'
import { prepared } from './prepared.ts'
import type { KeyRow, Schema } from './schema.ts'

export function createKeyStore(db: Kysely<Schema>, dialect: Dialect): KeyStore {
  const selectByHash = prepared(({ hash }: { hash: string }) =>
    db
      .selectFrom('keys')
      .innerJoin('accounts', 'accounts.id', 'keys.account_id')
      .selectAll('keys')
      .select([
        'accounts.name as account_name',
        'accounts.plan as account_plan',
        'accounts.rate_limit as account_rate_limit',
        'accounts.created_at as account_created_at',
        'accounts.monthly_budget_micros as account_monthly_budget_micros',
      ])
      .where('keys.hash', '=', hash),
  )

  return {
    async create(key) {
      await insertNew(dialect, 'key', () => db.insertInto('keys').values(toRow(key)).execute())
    },

    async findByHash(hash) {
      const [row] = (await selectByHash(db, { hash })).rows
      if (row === undefined) return undefined
      const account = toAccount({
        id: row.account_id,
        name: row.account_name,
        plan: row.account_plan,
        rate_limit: row.account_rate_limit,
        created_at: row.account_created_at,
        monthly_budget_micros: row.account_monthly_budget_micros,
      })
      return { key: toKey(row), account }
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

    async update(id, change) {
      const columns = {
        ...(change.revokedAt !== undefined && { revoked_at: change.revokedAt }),
        ...(change.expiresAt !== undefined && { expires_at: change.expiresAt }),
        ...(change.lastUsedAt !== undefined && { last_used_at: change.lastUsedAt }),
      }
      const result = await db
        .updateTable('keys')
        .set((eb) => ({ name: eb.ref('name'), ...columns }))
        .where('id', '=', id)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
  }
}

function toKey(row: KeyRow): Key {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    hash: row.hash,
    permissions: JSON.parse(row.permissions) as Grant[],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }
}

function toRow(key: Key): KeyRow {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    prefix: key.prefix,
    hash: key.hash,
    permissions: JSON.stringify(key.permissions),
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
  }
}
