/** Adds API keys and signing keys: within the limit of valid keys of the account, however many are created at the same time. */
import type { ExpressionBuilder, Kysely } from 'kysely'
import type { NewIdempotencyRecord } from '../../../domain/idempotency.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { insertOnce } from '../stores/idempotency.ts'
import { insertNew } from './insert.ts'

type Table = 'keys' | 'signing_keys'

interface Bounds {
  liveMax: number
}

interface NewRow {
  id: string
  account_id: string
  created_at: number
}

export function insertingKeys<Row extends NewRow>(
  db: Kysely<Schema>,
  dialect: Dialect,
  { table, noun }: { table: Table; noun: string },
  write: (trx: Kysely<Schema>, row: Row) => Promise<unknown>,
) {
  /** `first`: further work of the transaction, before the keys of the account are counted. */
  async function create(
    row: Row,
    bounds?: Bounds,
    record?: NewIdempotencyRecord,
    first?: (trx: Kysely<Schema>) => Promise<void>,
  ): Promise<boolean> {
    const insert = async (trx: Kysely<Schema>) => {
      if (bounds !== undefined) {
        await dialect.lockRows(trx.selectFrom('accounts').select('id').where('id', '=', row.account_id)).execute()
        await first?.(trx)
        const { live } = await trx
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<number>().as('live'))
          .where('account_id', '=', row.account_id)
          .where((eb) => isLiveAt(eb, row.created_at))
          .executeTakeFirstOrThrow()
        if (live >= bounds.liveMax) throw new NotWritten()
      }
      await write(trx, row)
    }
    try {
      await insertNew(dialect, noun, () =>
        db.transaction().execute((trx) => insertOnce(trx, record, row.id, () => insert(trx))),
      )
      return true
    } catch (error) {
      if (error instanceof NotWritten) return false
      throw error
    }
  }

  return {
    create,
    /** Also ends the valid key `oldId` at `until`, unless it ends before. */
    replace: (oldId: string, until: number, row: Row, bounds: Bounds, record?: NewIdempotencyRecord) =>
      create(row, bounds, record, async (trx) => {
        const ended = await trx
          .updateTable(table)
          .set((eb) => ({
            revoked_at: eb.case().when('revoked_at', '<', until).then(eb.ref('revoked_at')).else(until).end(),
          }))
          .where('id', '=', oldId)
          .where('account_id', '=', row.account_id)
          .where((eb) => isLiveAt(eb, row.created_at))
          .executeTakeFirst()
        if (ended.numUpdatedRows === 0n) throw new NotWritten()
      }),
  }
}

/** Rolls back the transaction in which it is thrown. */
class NotWritten extends Error {}

/** Like `isLive` of the domain, but without its tolerance for clocks: the limit of keys may count a key for a second longer. */
function isLiveAt(eb: ExpressionBuilder<Schema, Table>, now: number) {
  return eb.and([
    eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', now)]),
    eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]),
  ])
}
