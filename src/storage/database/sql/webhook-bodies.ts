/** Bodies of webhooks: the deliveries of an event share one. Deliveries of databases from before have their own. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** Bytes that a delivery counts for, in addition to its body. */
export const deliveryRowBytes = 500

/** Bytes that a row of `webhook_deliveries` counts for while it waits. The size of a column is known without reading it. */
export const waitingBytes = sql<number>`${sql.lit(deliveryRowBytes)} + coalesce(
  (select b.bytes from webhook_bodies as b where b.id = webhook_deliveries.body_id), octet_length(webhook_deliveries.body))`

/** Bytes that an update of a row of `webhook_deliveries` writes. */
export const rowBytes = sql<number>`octet_length(webhook_deliveries.body) + octet_length(webhook_deliveries.log)`

/** Adds bytes of bodies of an account. Locks their sum until the transaction ends: after queues, and accounts in one order. */
export async function addStored(trx: Kysely<Schema>, accountId: string, bytes: number): Promise<void> {
  await trx
    .insertInto('webhook_stored_bodies')
    .values({ account_id: accountId, bytes })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ bytes: sql`webhook_stored_bodies.bytes + excluded.bytes` }),
    )
    .execute()
}

/** `addStored` is to follow. */
export async function insertBody(
  trx: Kysely<Schema>,
  { id, accountId, body, deliveries }: { id: string; accountId: string; body: string; deliveries: number },
): Promise<void> {
  const row = { id, account_id: accountId, bytes: Buffer.byteLength(body), deliveries, body }
  await trx.insertInto('webhook_bodies').values(row).execute()
}

/** Returns the body of each row. */
export async function readingBodies(
  db: Kysely<Schema>,
  rows: readonly { body: string; body_id: string | null }[],
): Promise<(row: { body: string; body_id: string | null }) => string> {
  const ids = [...new Set(rows.flatMap(({ body_id }) => body_id ?? []))]
  const found =
    ids.length === 0
      ? []
      : await db.selectFrom('webhook_bodies').select(['id', 'body']).where('id', 'in', ids).execute()
  const bodies = new Map(found.map(({ id, body }) => [id, body]))
  return ({ body, body_id }) => (body_id === null ? body : (bodies.get(body_id) ?? ''))
}

/** Removes bodies with the last of their deliveries. `bodyIds`: of the deliveries that were deleted. */
export async function releaseBodies(trx: Kysely<Schema>, bodyIds: readonly string[]): Promise<void> {
  const counted = Map.groupBy(bodyIds, (id) => id)
  const removed: { account_id: string; bytes: number }[] = []
  const byCount = Map.groupBy([...counted.keys()].sort(), (id) => counted.get(id)?.length ?? 0)
  for (const [count, ids] of byCount) {
    const some = trx.deleteFrom('webhook_bodies').where('id', 'in', ids).returning(['account_id', 'bytes'])
    // Most are complete: an update would write their bodies again.
    removed.push(...(await some.where('deliveries', '=', count).execute()))
    await trx
      .updateTable('webhook_bodies')
      .set((eb) => ({ deliveries: eb('deliveries', '-', count) }))
      .where('id', 'in', ids)
      .execute()
    removed.push(...(await some.where('deliveries', '<=', 0).execute()))
  }
  const byAccount = Map.groupBy(removed, ({ account_id }) => account_id)
  for (const accountId of [...byAccount.keys()].sort())
    await addStored(trx, accountId, -(byAccount.get(accountId) ?? []).reduce((sum, { bytes }) => sum + bytes, 0))
}
