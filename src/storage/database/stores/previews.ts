import type { Kysely } from 'kysely'
import { type Preview, type PreviewStore, previewBlobKey } from '../../../domain/images/preview.ts'
import type { PreviewRow, Schema } from '../schema.ts'
import { listTotal } from '../sql/list-total.ts'
import { prepared } from '../sql/prepared.ts'
import { noteRemovals } from './blob-removals.ts'

/** Rows of one statement: engines limit its number of values. */
const rowsAtOnce = 500

/** Bytes that a row counts for, in addition to its file. The triggers in the migrations have the same number. */
const blockBytes = 4_096

export function createPreviewStore(db: Kysely<Schema>): PreviewStore {
  const total = prepared(({ accountId }: { accountId: string }) => listTotal(db, accountId, 'preview_bytes'))

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

    async bytesOf(accountId) {
      const [row] = (await total(db, { accountId })).rows
      return Number(row?.total ?? 0)
    },

    async evict(accountId, { bytes, rowsMax }, now) {
      const oldest = await db
        .selectFrom('previews')
        .select(['id', 'used_at', 'width', 'height', 'size'])
        .where('account_id', '=', accountId)
        .orderBy('used_at')
        .orderBy('id')
        .limit(Math.min(rowsMax, rowsAtOnce))
        .execute()
      let left = bytes
      const chosen: typeof oldest = []
      for (const row of oldest) {
        if (left <= 0) break
        chosen.push(row)
        left -= sizeOf(row) + blockBytes
      }
      const last = chosen.at(-1)
      if (last === undefined) return 0
      return db.transaction().execute(async (trx) => {
        const ids = chosen.map(({ id }) => id)
        const rows = await trx
          .deleteFrom('previews')
          .where('id', 'in', ids)
          .where('used_at', '<=', last.used_at)
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
  return { ...same, size: sizeOf(same), accountId: account_id, createdAt: created_at, usedAt: used_at }
}

/** Size of the file, or an estimate if it is unknown. */
function sizeOf({ size, width, height }: Pick<PreviewRow, 'size' | 'width' | 'height'>): number {
  return size === null ? Math.floor((width * height) / 4) : Number(size)
}
