/** Adds API keys and signing keys, within the quota of valid keys of the account. */
import type { Kysely } from 'kysely'
import type { KeyBounds } from '../../../domain/accounts/key.ts'
import type { Quota } from '../../../domain/accounts/quota.ts'
import type { NewIdempotencyRecord } from '../../../domain/idempotency.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { insertOnce } from '../stores/idempotency.ts'
import { factsOf, recordChange } from './audit.ts'
import { endsAt, type KeyTable } from './ended-keys.ts'
import { insertNew } from './insert.ts'
import type { Quotas } from './quotas.ts'

interface NewRow {
  id: string
  account_id: string
  created_at: number
}

export function insertingKeys<Row extends NewRow>(
  db: Kysely<Schema>,
  dialect: Dialect,
  quotas: Quotas,
  { table, noun, quota }: { table: KeyTable; noun: string; quota: Quota },
  write: (trx: Kysely<Schema>, row: Row) => Promise<unknown>,
) {
  const isApiKey = table === 'keys'

  /** `first`: further work of the transaction, before the keys of the account are counted. */
  async function create(
    row: Row,
    bounds?: KeyBounds,
    record?: NewIdempotencyRecord,
    first?: (trx: Kysely<Schema>) => Promise<void>,
  ): Promise<void> {
    const accountId = row.account_id
    const insert = async (trx: Kysely<Schema>) => {
      await first?.(trx)
      const counted = bounds === undefined ? [] : [quota]
      await quotas.within(trx, { accountId, now: row.created_at }, counted, () => write(trx, row))
      await recordChange(trx, table, { id: row.id }, isApiKey ? 'key.create' : 'signingKey.create')
    }
    await insertNew(dialect, noun, () =>
      db.transaction().execute((trx) => insertOnce(trx, record, row.id, () => insert(trx))),
    )
  }

  return {
    create,
    /** Inserts a key, and ends the valid key `oldId` at `until`, unless it ends before. False if it isn't valid. */
    async replace(oldId: string, until: number, row: Row, bounds?: KeyBounds, record?: NewIdempotencyRecord) {
      const endOld = async (trx: Kysely<Schema>) => {
        const before = await factsOf(trx, table, { id: oldId })
        const ended = await trx
          .updateTable(table)
          .set((eb) => ({
            revoked_at: eb.case().when('revoked_at', '<', until).then(eb.ref('revoked_at')).else(until).end(),
          }))
          .where('id', '=', oldId)
          .where('account_id', '=', row.account_id)
          .where(endsAt, '>', row.created_at)
          .executeTakeFirst()
        if (ended.numUpdatedRows === 0n) throw new NotLive()
        await recordChange(trx, table, { id: oldId }, isApiKey ? 'key.revoke' : 'signingKey.revoke', before)
      }
      try {
        await create(row, bounds, record, endOld)
        return true
      } catch (error) {
        if (error instanceof NotLive) return false
        throw error
      }
    },
  }
}

/** Rolls back the transaction in which it is thrown. */
class NotLive extends Error {}
