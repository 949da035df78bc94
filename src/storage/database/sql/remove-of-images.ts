/** Removes what was made of images that a part of the retention or a filter removes: thumbnails, cached results and files of delivery URLs. */
import type { Kysely } from 'kysely'
import { previewBlobKey, thumbnailKeys } from '../../../domain/images/preview.ts'
import type { Schema } from '../schema.ts'
import { noteRemovals } from '../stores/blob-removals.ts'
import { removeResultsOf } from './made-from-images.ts'
import { removeFilesOf } from './remove-derived-files.ts'

/** Removes the thumbnails of at most some hundred images of an account, and some of their results and files. True if more may be left. */
export async function removeOfImages(
  trx: Kysely<Schema>,
  accountId: string,
  ids: readonly string[],
  now: number,
): Promise<boolean> {
  if (ids.length === 0) return false
  const thumbnails = await trx
    .deleteFrom('previews')
    .where('account_id', '=', accountId)
    .where('key', 'in', ids.flatMap(thumbnailKeys))
    .returning('id')
    .execute()
  await noteRemovals(trx, thumbnails.map(previewBlobKey), now)
  let hasMore = await removeResultsOf(trx, ids, now)
  for (const id of ids) hasMore = (await removeFilesOf(trx, id, now)) || hasMore
  return hasMore
}
