import type { Kysely } from 'kysely'
import type { BlobRemovalStore } from '../../../domain/blob-removal.ts'
import type { Schema } from '../schema.ts'

export function createBlobRemovalStore(db: Kysely<Schema>): BlobRemovalStore {
  return {
    async list(limit, dueBy) {
      let oldest = db.selectFrom('blob_removals').selectAll().orderBy('due_at').orderBy('key').limit(limit)
      if (dueBy !== undefined) oldest = oldest.where('due_at', '<=', dueBy)
      return (await oldest.execute()).map(({ key, due_at }) => ({ key, dueAt: due_at }))
    },

    add: (keys, now) => noteRemovals(db, keys, now),

    async postpone(keys, dueAt) {
      if (keys.length === 0) return
      await db.updateTable('blob_removals').set({ due_at: dueAt }).where('key', 'in', keys).execute()
    },

    async done(key) {
      await db.deleteFrom('blob_removals').where('key', '=', key).execute()
    },
  }
}

/** Part of every transaction that removes a row with blobs. Returns how many were not noted before. */
export async function noteRemovals(trx: Kysely<Schema>, keys: readonly string[], now: number): Promise<number> {
  if (keys.length === 0) return 0
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('blob_removals')
    .values(keys.map((key) => ({ key, due_at: now })))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows)
}
