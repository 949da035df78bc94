/** Removes files of an image together with the image. */
import type { Kysely } from 'kysely'
import { blobKeyOf } from '../../../domain/blob-key.ts'
import type { Schema } from '../schema.ts'
import { noteRemovals } from '../stores/blob-removals.ts'
import { imageOf } from './derived-file-row.ts'

/** Rows of one statement: engines limit its number of values. */
const rowsAtOnce = 500

/** Removes some files of an image that is deleted, and files of workflows that were made from it. True if more may be left. */
export async function removeFilesOf(trx: Kysely<Schema>, imageId: string, now: number): Promise<boolean> {
  const some = trx
    .selectFrom('derived_files')
    .select('key')
    .where('owner_id', '=', imageId)
    .unionAll(trx.selectFrom('derived_file_images').select('key').where('image_id', '=', imageId))
    .limit(rowsAtOnce)
  const rows = await trx.deleteFrom('derived_files').where('key', 'in', some).returningAll().execute()
  await noteRemovals(
    trx,
    rows.map(imageOf).flatMap((image) => (image ? [blobKeyOf(image)] : [])),
    now,
  )
  return rows.length === rowsAtOnce
}
