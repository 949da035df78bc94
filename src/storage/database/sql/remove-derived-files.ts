/** Removes files of delivery URLs together with what they were made from. */
import type { Kysely } from 'kysely'
import { blobKeyOf } from '../../../domain/blob-key.ts'
import type { Schema } from '../schema.ts'
import type { DerivedFileRow } from '../schema-delivery.ts'
import { noteRemovals } from '../stores/blob-removals.ts'
import { imageOf } from './derived-file-row.ts'

/** Rows of one statement: engines limit its number of values. */
const rowsAtOnce = 500

/** Removes some files of an image that is deleted. True if more may be left. */
export async function removeFilesOf(trx: Kysely<Schema>, imageId: string, now: number): Promise<boolean> {
  const some = trx.selectFrom('derived_files').select('key').where('owner_id', '=', imageId).limit(rowsAtOnce)
  const rows = await trx.deleteFrom('derived_files').where('key', 'in', some).returningAll().execute()
  await noteRemovals(trx, blobKeysOf(rows), now)
  return rows.length === rowsAtOnce
}

export function blobKeysOf(rows: readonly DerivedFileRow[]): string[] {
  return rows.flatMap((row) => {
    const image = imageOf(row)
    return image ? [blobKeyOf(image)] : []
  })
}
