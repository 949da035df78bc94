import type { Kysely } from 'kysely'
import type { Font, FontFormat, FontStore } from '../../../domain/accounts/font.ts'
import { blobKeyOf } from '../../../domain/blob-key.ts'
import type { Dialect } from '../dialect.ts'
import type { FontRow, Schema } from '../schema.ts'
import { factsOf, recordChange } from '../sql/audit.ts'
import { insertNew } from '../sql/insert.ts'
import type { Quotas } from '../sql/quotas.ts'
import { readCounted } from '../sql/read-page.ts'
import { noteRemovals } from './blob-removals.ts'
import { insertOnce } from './idempotency.ts'

export function createFontStore(db: Kysely<Schema>, dialect: Dialect, quotas: Quotas): FontStore {
  return {
    async create(font, characters, record) {
      const { accountId } = font
      const insert = (trx: Kysely<Schema>) =>
        quotas.within(trx, { accountId }, ['fonts'], async () => {
          await trx
            .insertInto('fonts')
            .values({ ...toRow(font), characters })
            .execute()
          await recordChange(trx, 'fonts', { id: font.id }, 'font.upload')
        })
      await insertNew(dialect, 'font', () =>
        db.transaction().execute((trx) => insertOnce(trx, record, font.id, () => insert(trx))),
      )
    },

    async find(accountId, id) {
      const row = await db
        .selectFrom('fonts')
        .select(columns)
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row && toFont(row)
    },

    async characters(accountId, id) {
      const row = await db
        .selectFrom('fonts')
        .select('characters')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row?.characters
    },

    async list(accountId, page) {
      const matching = db.selectFrom('fonts').where('account_id', '=', accountId)
      return readCounted(page, {
        table: db.selectFrom('fonts'),
        matching,
        columns: (rows) => rows.select(columns),
        count: matching.select((eb) => eb.fn.countAll<number>().as('total')),
        toItem: toFont,
      })
    },

    async remove(accountId, id, now) {
      return db.transaction().execute(async (trx) => {
        const before = await factsOf(trx, 'fonts', { id })
        const row = await trx
          .deleteFrom('fonts')
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .returning('format')
          .executeTakeFirst()
        if (row === undefined) return undefined
        const key = blobKeyOf({ id, format: row.format as FontFormat })
        await noteRemovals(trx, [key], now)
        await recordChange(trx, 'fonts', { id }, 'font.delete', before)
        return key
      })
    },

    async existing(ids) {
      if (ids.length === 0) return new Set()
      const rows = await db.selectFrom('fonts').select('id').where('id', 'in', ids).execute()
      return new Set(rows.map(({ id }) => id))
    },
  }
}

/** All but the characters, which can be long. */
const columns = [
  ...(['id', 'account_id', 'format', 'family', 'weight_min', 'weight_max', 'is_italic', 'size', 'sha256'] as const),
  'created_at',
] as const

function toFont(row: Omit<FontRow, 'characters'>): Font {
  return {
    id: row.id,
    accountId: row.account_id,
    format: row.format as FontFormat,
    family: row.family,
    weightMin: row.weight_min,
    weightMax: row.weight_max,
    italic: row.is_italic === 1,
    size: row.size,
    sha256: row.sha256,
    createdAt: row.created_at,
  }
}

function toRow(font: Font): Omit<FontRow, 'characters'> {
  return {
    id: font.id,
    account_id: font.accountId,
    format: font.format,
    family: font.family,
    weight_min: font.weightMin,
    weight_max: font.weightMax,
    is_italic: font.italic ? 1 : 0,
    size: font.size,
    sha256: font.sha256,
    created_at: font.createdAt,
  }
}
