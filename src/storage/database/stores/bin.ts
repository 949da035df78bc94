import type { Kysely } from 'kysely'
import type { BinnedImage, BinStore } from '../../../domain/images/bin.ts'
import type { BinnedImageRow, Schema } from '../schema.ts'
import { recordChange } from '../sql/audit.ts'
import { imageColumns, projectIsPrivate, toImage } from '../sql/image-row.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { listTotal } from '../sql/list-total.ts'
import { ofLiveProject } from '../sql/live-projects.ts'
import { readCounted } from '../sql/read-page.ts'
import { removeImages } from '../sql/remove-images.ts'

/** Images of one part of a removal. */
const removedAtOnce = 100

export function createBinStore(db: Kysely<Schema>): BinStore {
  const binned = (accountId: string) => db.selectFrom('binned_images').where('account_id', '=', accountId)

  return {
    async find(accountId, id) {
      const row = await binned(accountId)
        .selectAll()
        .select(projectIsPrivate)
        .where('id', '=', id)
        .where(ofLiveProject('binned_images'))
        .executeTakeFirst()
      return row && toBinnedImage(row)
    },

    list: (accountId, page) =>
      readCounted(page, {
        table: db.selectFrom('binned_images'),
        matching: binned(accountId),
        filter: (rows) => rows.where(ofLiveProject('binned_images')),
        columns: (rows) => rows.selectAll().select(projectIsPrivate),
        count: listTotal(db, accountId, 'binned_images'),
        by: 'binned_at',
        toItem: toBinnedImage,
      }),

    restore: (accountId, ids) =>
      inTransaction(db, async (trx) => {
        if (ids.length === 0) return []
        const rows = await trx
          .deleteFrom('binned_images')
          .where('id', 'in', ids)
          .where('account_id', '=', accountId)
          .where(ofLiveProject('binned_images'))
          .returning(imageColumns)
          .execute()
        if (rows.length > 0) await trx.insertInto('images').values(rows).execute()
        const restored = rows.map(({ id }) => id)
        for (const id of restored) await recordChange(trx, 'images', { id }, 'image.restore')
        return restored
      }),

    async remove(accountId, ids, max, now) {
      let count = 0
      for (;;) {
        const size = Math.min(removedAtOnce, max - count)
        const rows = await binned(accountId)
          .select('id')
          .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
          .orderBy('binned_at')
          .orderBy('id')
          .limit(size + 1)
          .execute()
        const part = rows.slice(0, size).map(({ id }) => id)
        const removal = { now, isRecorded: true, from: 'binned_images' as const }
        count += (await removeImages(db, accountId, part, removal)).length
        const hasMore = rows.length > part.length
        if (!hasMore || count >= max) return { count, hasMore }
      }
    },
  }
}

function toBinnedImage(row: BinnedImageRow & { project_is_private: number | null }): BinnedImage {
  return { ...toImage(row), binnedAt: row.binned_at }
}
