import { type Kysely, sql } from 'kysely'
import type { DerivedFileStore } from '../../../domain/delivery/derived-file-store.ts'
import { limits } from '../../../limits.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import type { DerivedFileRow } from '../schema-delivery.ts'
import { accountsIn } from '../sql/accounts-in.ts'
import { toDerivedFile, toDerivedRow } from '../sql/derived-file-row.ts'
import { findingImageUrl, findingWorkflowUrl } from '../sql/find-signed-url.ts'
import { prepared } from '../sql/prepared.ts'
import { blobKeysOf, removeSomeOf } from '../sql/remove-derived-files.ts'
import { noteRemovals } from './blob-removals.ts'

/** Rows of one statement: engines limit its number of values. */
const rowsAtOnce = 500

export function createDerivedFileStore(db: Kysely<Schema>, dialect: Dialect): DerivedFileStore {
  /** One statement with the check that the image exists. Who deletes the image waits for this, and then deletes the file as well. */
  const insert = prepared((row: DerivedFileRow) => {
    const columns = Object.keys(row) as (keyof DerivedFileRow)[]
    const image = db
      .selectFrom('images')
      .select((eb) => columns.map((name) => eb.val(row[name]).as(name)))
      .where('images.id', '=', row.owner_id)
    return db
      .insertInto('derived_files')
      .columns(columns)
      .expression(dialect.lockRows(image))
      .onConflict((conflict) => conflict.column('key').doNothing())
  })
  return {
    findWorkflowUrl: findingWorkflowUrl(db),
    findImageUrl: findingImageUrl(db),

    async add(file) {
      const { numAffectedRows } = await insert(db, toDerivedRow(file))
      if (numAffectedRows === 1n) return file
      const row = await db.selectFrom('derived_files').selectAll().where('key', '=', file.key).executeTakeFirst()
      return row && toDerivedFile(row)
    },

    async touch(key, now) {
      await db.updateTable('derived_files').set({ used_at: now }).where('key', '=', key).execute()
    },

    async forget(imageId) {
      await db.deleteFrom('derived_files').where('id', '=', imageId).execute()
    },

    accounts: () => accountsIn(db, 'derived_files'),

    async sizes(accountId, rowsMax, after = { usedAt: -1, key: '' }) {
      const place = sql`(used_at, key)`
      const later = db
        .selectFrom('derived_files')
        .where('account_id', '=', accountId)
        .where(sql<boolean>`${place} > (${after.usedAt}, ${after.key})`)
      const last = await later
        .select(['used_at', 'key'])
        .orderBy('used_at')
        .orderBy('key')
        .limit(1)
        .offset(rowsMax - 1)
        .executeTakeFirst()
      const { bytes } = await later
        .select(sql<number>`coalesce(sum(size + ${sql.lit(rowBytes)}), 0)`.as('bytes'))
        .$if(last !== undefined, (all) => all.where(sql<boolean>`${place} <= (${last?.used_at}, ${last?.key})`))
        .executeTakeFirstOrThrow()
      return { bytes: Number(bytes), next: last && { usedAt: Number(last.used_at), key: last.key } }
    },

    async evict(accountId, { bytes, rowsMax, usedBefore }, now) {
      let left = bytes
      const oldest = await db
        .selectFrom('derived_files')
        .select(['key', 'size'])
        .where('account_id', '=', accountId)
        .where('used_at', '<', usedBefore)
        .where(isIdle(usedBefore))
        .orderBy('used_at')
        .orderBy('key')
        .limit(Math.min(rowsMax, rowsAtOnce))
        .execute()
      const chosen: typeof oldest = []
      for (const file of oldest) {
        if (left <= 0) break
        chosen.push(file)
        left -= bytesOf(file)
      }
      if (chosen.length === 0) return { files: 0, bytes: 0 }
      return db.transaction().execute(async (trx) => {
        const rows = await trx
          .deleteFrom('derived_files')
          .where(
            'key',
            'in',
            chosen.map(({ key }) => key),
          )
          // Files that were used since then stay, and files that an execution makes.
          .where('used_at', '<', usedBefore)
          .where(isIdle(usedBefore))
          .returningAll()
          .execute()
        await noteRemovals(trx, blobKeysOf(rows), now)
        return { files: rows.length, bytes: rows.reduce((sum, row) => sum + bytesOf(row), 0) }
      })
    },

    async nextWorkflow(afterId) {
      const row = await db
        .selectFrom('derived_files')
        .leftJoin('workflows', 'workflows.id', 'derived_files.owner_id')
        .select(['derived_files.owner_id', 'workflows.deleted_at'])
        .where('derived_files.owner_id', '>', afterId || workflowIds.from)
        .where('derived_files.owner_id', '<', workflowIds.to)
        .orderBy('derived_files.owner_id')
        .limit(1)
        .executeTakeFirst()
      return row && { id: row.owner_id, deletedAt: row.deleted_at }
    },

    removeOf: (ownerId, rowsMax, now) => db.transaction().execute((trx) => removeSomeOf(trx, ownerId, rowsMax, now)),

    async existing(ids) {
      if (ids.length === 0) return new Set()
      const rows = await db.selectFrom('derived_files').select('id').where('id', 'in', ids).execute()
      return new Set(rows.flatMap(({ id }) => id ?? []))
    },
  }
}

/** All ids of workflows are between these, and no id of an image. */
const workflowIds = { from: 'wf_', to: 'wf`' }
/** Bytes that a row counts for, in addition to its file. */
const rowBytes = 500

function bytesOf({ size }: { size: number }): number {
  return Number(size) + rowBytes
}

/** Whether no execution makes the file. */
function isIdle(usedBefore: number) {
  return sql<boolean>`(id is not null or used_at < ${usedBefore - limits.executionSecondsMax * 1_000})`
}
