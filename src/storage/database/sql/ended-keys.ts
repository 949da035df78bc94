/** The end of API keys and of signing keys, and the removal of keys that ended. */
import { type Kysely, sql } from 'kysely'
import type { EndedKey, EndedKeyStore } from '../../../domain/accounts/key.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { inTransaction } from './in-transaction.ts'

export type KeyTable = 'keys' | 'signing_keys'

/**
 * When a key was or will be revoked or expires, whichever is earlier, or a time that never comes. It is the expression of two indexes: a condition reads
 * only the keys that match.
 */
export const endsAt = sql<number>`coalesce(case when expires_at < revoked_at then expires_at else revoked_at end, expires_at, 9007199254740991)`

export function removingEndedKeys(db: Kysely<Schema>, dialect: Dialect, table: KeyTable): EndedKeyStore {
  return {
    async sweepOld(endedBefore, rowsMax) {
      return inTransaction(db, (trx) => {
        const old = removable(trx, table).where(endsAt, '<', endedBefore)
        return remove(trx, dialect, table, old.orderBy(endsAt).orderBy('id').limit(rowsMax))
      })
    },

    async nextAccount(afterId) {
      const row = await db
        .selectFrom(table)
        .select('account_id')
        .where('account_id', '>', afterId)
        .orderBy('account_id')
        .limit(1)
        .executeTakeFirst()
      return row?.account_id
    },

    findExcess: (accountId, now, keptMax) => findExcess(db, table, accountId, now, keptMax),

    sweepUpTo: (accountId, newest, rowsMax) =>
      inTransaction(db, (trx) => sweepUpTo(trx, dialect, table, accountId, newest, rowsMax)),
  }
}

/** Keys that one created key removes, if the account has too many that ended. */
const trimmedMax = 20

/** Part of the transaction that creates a key: the ended keys of an account stay few between two runs of the background job. */
export async function trimEnded(
  trx: Kysely<Schema>,
  dialect: Dialect,
  table: KeyTable,
  { accountId, now, keptMax }: { accountId: string; now: number; keptMax: number },
): Promise<void> {
  const newest = await findExcess(trx, table, accountId, now, keptMax)
  if (newest !== undefined) await sweepUpTo(trx, dialect, table, accountId, newest, trimmedMax)
}

async function findExcess(
  db: Kysely<Schema>,
  table: KeyTable,
  accountId: string,
  now: number,
  keptMax: number,
): Promise<EndedKey | undefined> {
  const row = await db
    .selectFrom(table)
    .select(['id', endsAt.as('ended_at')])
    .where('account_id', '=', accountId)
    .where(endsAt, '<=', now)
    .orderBy(endsAt, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(keptMax)
    .executeTakeFirst()
  return row && { endedAt: Number(row.ended_at), id: row.id }
}

function sweepUpTo(
  trx: Kysely<Schema>,
  dialect: Dialect,
  table: KeyTable,
  accountId: string,
  { endedAt, id }: EndedKey,
  rowsMax: number,
): Promise<number> {
  const excess = removable(trx, table)
    .where('account_id', '=', accountId)
    .where(endsAt, '<=', endedAt)
    .where(sql<boolean>`(${endsAt}, id) <= (${endedAt}, ${id})`)
  return remove(trx, dialect, table, excess.orderBy(endsAt).orderBy('id').limit(rowsMax))
}

/** A signing key names the budget in which the open calls of its executions reserved money: it stays until they end. */
function removable(trx: Kysely<Schema>, table: KeyTable) {
  const ids = trx.selectFrom(table).select('id')
  if (table === 'keys') return ids
  const open = trx
    .selectFrom('provider_calls')
    .select('key_id')
    .where('ended_at', 'is', null)
    .where('key_id', 'is not', null)
  return ids.where((eb) => eb('id', 'not in', open as never))
}

async function remove(
  trx: Kysely<Schema>,
  dialect: Dialect,
  table: KeyTable,
  found: ReturnType<typeof removable>,
): Promise<number> {
  const ids = (await dialect.skipLocked(found).execute()).map(({ id }) => id)
  if (ids.length === 0) return 0
  if (table === 'keys') await trx.deleteFrom('sessions').where('key_id', 'in', ids).execute()
  await trx.deleteFrom(table).where('id', 'in', ids).execute()
  return ids.length
}
