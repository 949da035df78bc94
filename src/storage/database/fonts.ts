import type { Kysely } from 'kysely'
import type { Font, FontFormat, FontStore } from '../../domain/font.ts'
import type { Dialect } from './dialect.ts'
import { insertNew } from './insert.ts'
import { readPage } from './read-page.ts'
import type { FontRow, Schema } from './schema.ts'

export function createFontStore(db: Kysely<Schema>, dialect: Dialect): FontStore {
  return {
    async create(font, { ofAccountMax }) {
      return insertNew(dialect, 'font', () =>
        db.transaction().execute(async (trx) => {
          const { total } = await trx
            .selectFrom('fonts')
            .select((eb) => eb.fn.countAll<number>().as('total'))
            .where('account_id', '=', font.accountId)
            .executeTakeFirstOrThrow()
          if (total >= ofAccountMax) return false
          await trx.insertInto('fonts').values(toRow(font)).execute()
          return true
        }),
      )
    },

    async find(accountId, id) {
      const row = await db
        .selectFrom('fonts')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row && toFont(row)
    },

    async list(accountId, page) {
      const matching = db.selectFrom('fonts').where('account_id', '=', accountId)
      return readPage(
        page,
        matching.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'),
        matching.select((eb) => eb.fn.countAll<number>().as('total')),
        toFont,
      )
    },

    async remove(accountId, id) {
      const result = await db
        .deleteFrom('fonts')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}

function toFont(row: FontRow): Font {
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

function toRow(font: Font): FontRow {
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
