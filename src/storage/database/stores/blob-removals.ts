import type { Kysely } from 'kysely'
import type { BlobRemovalStore } from '../../../domain/blob-removal.ts'
import type { Schema } from '../schema.ts'

export function createBlobRemovalStore(db: Kysely<Schema>): BlobRemovalStore {
  return {
    async list(limit) {
      const rows = await db
        .selectFrom('blob_removals')
        .selectAll()
        .orderBy('requested_at')
        .orderBy('key')
        .limit(limit)
        .execute()
      return rows.map(({ key, requested_at }) => ({ key, requestedAt: requested_at }))
    },

    async done(key) {
      await db.deleteFrom('blob_removals').where('key', '=', key).execute()
    },
  }
}

/** Part of every transaction that removes a row with blobs. */
export async function noteRemovals(trx: Kysely<Schema>, keys: readonly string[], now: number): Promise<void> {
  if (keys.length === 0) return
  await trx
    .insertInto('blob_removals')
    .values(keys.map((key) => ({ key, requested_at: now })))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}
