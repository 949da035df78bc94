/** Removes images with everything that was made of them: thumbnails, cached results, and files of their sizes and formats. */
import type { Kysely } from 'kysely'
import { blobKeyOf } from '../../../domain/blob-key.ts'
import type { ImageFormat } from '../../../domain/images/image.ts'
import { previewBlobKey, thumbnailKeys } from '../../../domain/images/preview.ts'
import type { Schema } from '../schema.ts'
import { noteRemovals } from '../stores/blob-removals.ts'
import { removeResultsOf } from './made-from-images.ts'

/** Removes images in a transaction, and notes their blobs. Returns the keys of the bytes of the images that existed. `removeFilesOf` removes the files. */
export async function removeImages(
  trx: Kysely<Schema>,
  accountId: string,
  ids: readonly string[],
  now: number,
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await trx
    .deleteFrom('images')
    .where('id', 'in', ids)
    .where('account_id', '=', accountId)
    .returning(['id', 'format'])
    .execute()
  if (rows.length === 0) return []
  await removeResultsOf(
    trx,
    rows.map(({ id }) => id),
    now,
  )
  const thumbnails = await trx
    .deleteFrom('previews')
    .where('account_id', '=', accountId)
    .where(
      'key',
      'in',
      rows.flatMap(({ id }) => thumbnailKeys(id)),
    )
    .returning('id')
    .execute()
  const keys = rows.map(({ id, format }) => blobKeyOf({ id, format: format as ImageFormat }))
  await noteRemovals(trx, [...keys, ...thumbnails.map(previewBlobKey)], now)
  return keys
}
