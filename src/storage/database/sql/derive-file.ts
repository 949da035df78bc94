/** The rows of files that executions make: claimed in the transaction of the execution, and ready in the transaction of its outcome. */
import type { Kysely } from 'kysely'
import { blobKeyOf } from '../../../domain/blob-key.ts'
import { DerivedFileTaken, type DerivedImage, type NewDerivedFile } from '../../../domain/delivery/derived-file.ts'
import type { Execution } from '../../../domain/executions/execution.ts'
import type { Schema } from '../schema.ts'
import { noteRemovals } from '../stores/blob-removals.ts'
import { imageColumns, imageOf, toDerivedRow } from './derived-file-row.ts'
import { missingRows } from './made-from-images.ts'

/**
 * Claims a file: of several executions for one file, in any process, one is recorded. Throws `DerivedFileTaken` for the
 * others.
 */
export async function claimFile(
  trx: Kysely<Schema>,
  { id, accountId, createdAt }: Pick<Execution, 'id' | 'accountId' | 'createdAt'>,
  { replaces, ...file }: NewDerivedFile,
): Promise<void> {
  const row = toDerivedRow({ ...file, accountId, executionId: id, image: null, createdAt, usedAt: createdAt })
  if (replaces === null) {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('derived_files')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows !== 1n) throw new DerivedFileTaken()
    return
  }
  const { max_age, reads_urls, is_paid, redirects } = row
  const { numUpdatedRows } = await trx
    .updateTable('derived_files')
    .set({ execution_id: id, max_age, reads_urls, is_paid, redirects })
    .where('key', '=', file.key)
    .where('execution_id', '=', replaces)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new DerivedFileTaken()
}

/** The output of the execution is the file now. The bytes of a former file are removed. */
export async function completeFile(
  trx: Kysely<Schema>,
  key: string,
  {
    executionId,
    image,
    imageIds = [],
    now,
  }: { executionId: string; image: DerivedImage; imageIds?: readonly string[] | undefined; now: number },
): Promise<void> {
  const claimedFile = trx.selectFrom('derived_files').where('key', '=', key).where('execution_id', '=', executionId)
  const before = await claimedFile.selectAll().executeTakeFirst()
  // It was evicted while the execution ran.
  if (before === undefined) {
    await noteRemovals(trx, [blobKeyOf(image)], now)
    return
  }
  await trx
    .updateTable('derived_files')
    .set({ ...imageColumns(image), created_at: now, used_at: now })
    .where('key', '=', key)
    .execute()
  const former = imageOf(before)
  if (former) await noteRemovals(trx, [blobKeyOf(former)], now)
  // A deleted image leaves no file that was made from it.
  const missing = await missingRows(trx, 'images', imageIds)
  await trx.deleteFrom('derived_file_images').where('key', '=', key).execute()
  if (missing.size > 0) {
    await noteRemovals(trx, [blobKeyOf(image)], now)
    await trx.deleteFrom('derived_files').where('key', '=', key).execute()
  } else if (imageIds.length > 0)
    await trx
      .insertInto('derived_file_images')
      .values(imageIds.map((image_id) => ({ key, image_id })))
      .execute()
}
