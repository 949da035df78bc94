/** Cached results and files of delivery URLs that were made from stored images, and are removed with them. */
import type { Kysely } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { noteRemovals } from '../stores/blob-removals.ts'

/** Rows of one statement. */
const rowsAtOnce = 500

/** The given images, or accounts, that are deleted. The others can't be deleted before the transaction ends. */
export async function missingRows(
  trx: Kysely<Schema>,
  table: 'accounts' | 'images',
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const found = await trx
    .selectFrom(table)
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .$if(isPostgres(trx), (query) => query.forKeyShare())
    .execute()
  return new Set(ids).difference(new Set(found.map(({ id }) => id)))
}

/** Removes some cached results that were made from these images. True if more may be left. */
export async function removeResultsOf(trx: Kysely<Schema>, imageIds: readonly string[], now: number): Promise<boolean> {
  const some = await trx
    .selectFrom('step_result_images')
    .select(['account_id', 'key'])
    .where('image_id', 'in', imageIds)
    .limit(rowsAtOnce)
    .execute()
  for (const [accountId, rows] of Map.groupBy(some, ({ account_id }) => account_id)) {
    const removed = await trx
      .deleteFrom('step_results')
      .where('account_id', '=', accountId)
      .where(
        'key',
        'in',
        rows.map(({ key }) => key),
      )
      .returning('blob_key')
      .execute()
    await noteRemovals(
      trx,
      removed.flatMap(({ blob_key }) => blob_key ?? []),
      now,
    )
  }
  return some.length === rowsAtOnce
}
