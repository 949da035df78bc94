import type { Kysely } from 'kysely'
import type { DerivedFileStore } from '../../../domain/delivery/derived-file-store.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import type { DerivedFileRow } from '../schema-delivery.ts'
import { toDerivedFile, toDerivedRow } from '../sql/derived-file-row.ts'
import { findingImageUrl, findingWorkflowUrl } from '../sql/find-signed-url.ts'
import { prepared } from '../sql/prepared.ts'

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

    async existing(ids) {
      if (ids.length === 0) return new Set()
      const rows = await db.selectFrom('derived_files').select('id').where('id', 'in', ids).execute()
      return new Set(rows.flatMap(({ id }) => id ?? []))
    },
  }
}
