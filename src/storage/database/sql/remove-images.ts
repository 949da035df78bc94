/** Removes images with everything that was made of them: thumbnails, cached results, and files of delivery URLs. */
import type { Kysely } from 'kysely'
import { blobKeyOf } from '../../../domain/blob-key.ts'
import type { ImageFormat } from '../../../domain/images/image.ts'
import { previewBlobKey, thumbnailKeys } from '../../../domain/images/preview.ts'
import type { Schema } from '../schema.ts'
import { noteRemovals } from '../stores/blob-removals.ts'
import { factsOf, recordChange } from './audit.ts'
import { imageColumns } from './image-row.ts'
import { inTransaction } from './in-transaction.ts'
import { removeResultsOf } from './made-from-images.ts'
import { removeFilesOf } from './remove-derived-files.ts'

interface ImageRemoval {
  now: number
  /** Whether the audit log has entries. */
  isRecorded: boolean
  /** Default: images that are not in the bin. */
  from?: 'images' | 'binned_images'
  /** Moves them to the bin, with their bytes. */
  toBin?: boolean
}

/**
 * Removes at most some hundred images of an account, and notes their blobs. Everything that was made of them goes first, in parts, so that a crash leaves
 * nothing of an image that is gone. Returns the keys of the images that existed.
 */
export async function removeImages(
  db: Kysely<Schema>,
  accountId: string,
  ids: readonly string[],
  { now, isRecorded, from = 'images', toBin = false }: ImageRemoval,
): Promise<string[]> {
  if (ids.length === 0) return []
  while (await inTransaction(db, (trx) => removeOfImages(trx, accountId, ids, now)));
  return inTransaction(db, async (trx) => {
    const facts = new Map<string, Awaited<ReturnType<typeof factsOf>>>()
    if (isRecorded) for (const id of ids) facts.set(id, await factsOf(trx, from, { id }))
    const rows = await trx
      .deleteFrom(from)
      .where('id', 'in', ids)
      .where('account_id', '=', accountId)
      .returning(imageColumns)
      .execute()
    const gone = rows.map(({ id }) => id)
    // Of requests that ended meanwhile.
    while (await removeOfImages(trx, accountId, gone, now));
    if (toBin && rows.length > 0)
      await trx
        .insertInto('binned_images')
        .values(rows.map((row) => ({ ...row, binned_at: now })))
        .execute()
    const action = toBin ? 'image.bin' : 'image.delete'
    if (isRecorded) for (const id of gone) await recordChange(trx, from, { id }, action, facts.get(id))
    const keys = rows.map(({ id, format }) => blobKeyOf({ id, format: format as ImageFormat }))
    if (!toBin) await noteRemovals(trx, keys, now)
    return keys
  })
}

/** Removes the thumbnails of at most some hundred images of an account, and some of their results and files, in a transaction. True if more may be left. */
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
