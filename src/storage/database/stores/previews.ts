import type { Kysely } from 'kysely'
import type { Preview, PreviewStore } from '../../../domain/images/preview.ts'
import type { PreviewRow, Schema } from '../schema.ts'

/** Rows of one statement: engines limit its number of values. */
const rowsAtOnce = 500

export function createPreviewStore(db: Kysely<Schema>): PreviewStore {
  return {
    async add(previews) {
      for (let from = 0; from < previews.length; from += rowsAtOnce) {
        const rows = previews.slice(from, from + rowsAtOnce).map(toRow)
        await db.insertInto('previews').values(rows).execute()
      }
    },

    async find(accountId, keys, usedSince) {
      if (keys.length === 0) return []
      const all = await db
        .selectFrom('previews')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('key', 'in', keys)
        .execute()
      // A condition of the time would make SQLite use the index of it.
      const rows = all.filter(({ used_at }) => used_at >= usedSince)
      rows.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
      return [...new Map(rows.map((row) => [row.key, toPreview(row)])).values()]
    },

    async touch(ids, now) {
      if (ids.length === 0) return
      await db
        .updateTable('previews')
        .set({ used_at: now })
        .where('id', 'in', [...ids].sort())
        .execute()
    },

    async existing(ids) {
      if (ids.length === 0) return new Set()
      const rows = await db.selectFrom('previews').select('id').where('id', 'in', ids).execute()
      return new Set(rows.map(({ id }) => id))
    },
  }
}

function toRow({ accountId, createdAt, usedAt, ...same }: Preview): PreviewRow {
  return { ...same, account_id: accountId, created_at: createdAt, used_at: usedAt }
}

function toPreview({ account_id, created_at, used_at, ...same }: PreviewRow): Preview {
  return { ...same, size: sizeOf(same), accountId: account_id, createdAt: created_at, usedAt: used_at }
}

/** Size of the file, or an estimate if it is unknown. */
function sizeOf({ size, width, height }: Pick<PreviewRow, 'size' | 'width' | 'height'>): number {
  return size === null ? Math.floor((width * height) / 4) : Number(size)
}
