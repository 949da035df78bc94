import type { Kysely } from 'kysely'
import { type Preview, type PreviewStore, previewBlobKey } from '../../../domain/preview.ts'
import type { PreviewRow, Schema } from '../schema.ts'
import { noteRemovals } from './blob-removals.ts'

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
      const rows = await db
        .selectFrom('previews')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('key', 'in', keys)
        .where('used_at', '>=', usedSince)
        .execute()
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

    async sweep(before, rowsMax, now) {
      return db.transaction().execute(async (trx) => {
        const old = trx
          .selectFrom('previews')
          .select('id')
          .where('used_at', '<', before)
          .orderBy('used_at')
          .limit(Math.min(rowsMax, rowsAtOnce))
        const rows = await trx
          .deleteFrom('previews')
          .where('id', 'in', old)
          // Previews that were shown since then stay.
          .where('used_at', '<', before)
          .returning('id')
          .execute()
        await noteRemovals(trx, rows.map(previewBlobKey), now)
        return rows.length
      })
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
  return { ...same, accountId: account_id, createdAt: created_at, usedAt: used_at }
}
