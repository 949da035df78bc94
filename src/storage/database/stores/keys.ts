import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Account } from '../../../domain/account.ts'
import type { NewIdempotencyRecord } from '../../../domain/idempotency.ts'
import type { Grant, Key, KeyStore } from '../../../domain/key.ts'
import type { Dialect } from '../dialect.ts'
import type { AccountRow, KeyRow, Schema } from '../schema.ts'
import { insertNew } from '../sql/insert.ts'
import { prepared } from '../sql/prepared.ts'
import { readPage } from '../sql/read-page.ts'
import { toAccount } from './accounts.ts'
import { insertOnce } from './idempotency.ts'

export function createKeyStore(db: Kysely<Schema>, dialect: Dialect): KeyStore {
  const selectByHash = prepared(({ hash }: { hash: string }) =>
    db
      .selectFrom('keys')
      .innerJoin('accounts', 'accounts.id', 'keys.account_id')
      .selectAll('keys')
      .select(accountColumns)
      .where('keys.hash', '=', hash),
  )

  /** `first`: further work of the transaction, before the keys of the account are counted. */
  async function insert(
    key: Key,
    bounds?: { liveMax: number },
    record?: NewIdempotencyRecord,
    first?: (trx: Kysely<Schema>) => Promise<void>,
  ): Promise<boolean> {
    const write = async (trx: Kysely<Schema>) => {
      if (bounds !== undefined) {
        await dialect.lockRows(trx.selectFrom('accounts').select('id').where('id', '=', key.accountId)).execute()
        await first?.(trx)
        const { live } = await trx
          .selectFrom('keys')
          .select((eb) => eb.fn.countAll<number>().as('live'))
          .where('account_id', '=', key.accountId)
          .where((eb) => isLiveAt(eb, key.createdAt))
          .executeTakeFirstOrThrow()
        if (live >= bounds.liveMax) throw new NotWritten()
      }
      await trx.insertInto('keys').values(toRow(key)).execute()
    }
    try {
      await insertNew(dialect, 'key', () =>
        db.transaction().execute((trx) => insertOnce(trx, record, key.id, () => write(trx))),
      )
      return true
    } catch (error) {
      if (error instanceof NotWritten) return false
      throw error
    }
  }

  return {
    create: (key, bounds, record) => insert(key, bounds, record),

    replace: (oldId, until, key, bounds, record) =>
      insert(key, bounds, record, async (trx) => {
        const ended = await trx
          .updateTable('keys')
          .set((eb) => ({
            revoked_at: eb.case().when('revoked_at', '<', until).then(eb.ref('revoked_at')).else(until).end(),
          }))
          .where('id', '=', oldId)
          .where('account_id', '=', key.accountId)
          .where((eb) => isLiveAt(eb, key.createdAt))
          .executeTakeFirst()
        if (ended.numUpdatedRows === 0n) throw new NotWritten()
      }),

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

    async listPage(accountId, page) {
      const matching = db.selectFrom('keys').where('account_id', '=', accountId)
      return readPage(
        page,
        matching.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'),
        matching.select((eb) => eb.fn.countAll<number>().as('total')),
        toKey,
      )
    },

    async revoke(id, at) {
      await db
        .updateTable('keys')
        .set({ revoked_at: at })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', at)]))
        .execute()
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

/** Rolls back the transaction in which it is thrown. */
class NotWritten extends Error {}

/** Like `isLive` of the domain, but without its tolerance for clocks: the limit of keys may count a key for a second longer. */
function isLiveAt(eb: ExpressionBuilder<Schema, 'keys'>, now: number) {
  return eb.and([
    eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', now)]),
    eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]),
  ])
}

/** Columns of the account, next to all columns of its key. */
export const accountColumns = [
  'accounts.name as account_name',
  'accounts.plan as account_plan',
  'accounts.rate_limit as account_rate_limit',
  'accounts.created_at as account_created_at',
  'accounts.monthly_budget_micros as account_monthly_budget_micros',
] as const

interface KeyAndAccountRow extends KeyRow {
  account_name: AccountRow['name']
  account_plan: AccountRow['plan']
  account_rate_limit: AccountRow['rate_limit']
  account_created_at: AccountRow['created_at']
  account_monthly_budget_micros: AccountRow['monthly_budget_micros']
}

export function toKeyAndAccount(row: KeyAndAccountRow): { key: Key; account: Account } {
  const account = toAccount({
    id: row.account_id,
    name: row.account_name,
    plan: row.account_plan,
    rate_limit: row.account_rate_limit,
    created_at: row.account_created_at,
    monthly_budget_micros: row.account_monthly_budget_micros,
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
