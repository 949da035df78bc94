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
  return (await removeSomeOf(trx, imageId, rowsAtOnce, now)) === rowsAtOnce
}

/** Removes files of a workflow or an image, at most `rowsMax` and as many as one statement can. Returns how many. */
export async function removeSomeOf(trx: Kysely<Schema>, ownerId: string, rowsMax: number, now: number) {
  const limit = Math.min(rowsMax, rowsAtOnce)
  const some = trx.selectFrom('derived_files').select('key').where('owner_id', '=', ownerId).limit(limit)
  const rows = await trx.deleteFrom('derived_files').where('key', 'in', some).returningAll().execute()
  await noteRemovals(trx, blobKeysOf(rows), now)
  return rows.length
}

export function blobKeysOf(rows: readonly DerivedFileRow[]): string[] {
  return rows.flatMap((row) => {
    const image = imageOf(row)
    return image ? [blobKeyOf(image)] : []
  })
}
