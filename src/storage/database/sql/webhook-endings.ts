/** Ends the waiting deliveries of queues whose endpoint was deleted or disabled: a part of one queue in each transaction. */
import { type Kysely, sql } from 'kysely'
import type { WebhookDeliveryStore, WebhookQueue } from '../../../domain/webhooks/webhook.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { receiverOf } from './webhook-claims.ts'
import { addToQueue, firstWaiting, minus, setQueue, waitingBytes, waitingIn } from './webhook-queues.ts'

/** Bytes that an update of a row writes. */
const rowBytes = sql<number>`octet_length(webhook_deliveries.body) + octet_length(webhook_deliveries.log)`
/** Deliveries of one transaction: other writers wait for it on SQLite. */
const rowsMax = 100
/** An update writes the whole row, with its log. */
const bytesMax = 1_048_576

export function endingDeliveries(db: Kysely<Schema>, dialect: Dialect): WebhookDeliveryStore['endSome'] {
  const nextQueue = (within: Kysely<Schema>) =>
    within
      .selectFrom('webhook_queues')
      .select(['account_id', 'endpoint_id'])
      .where('ending_at', 'is not', null)
      .orderBy('ending_at')
      .limit(1)
  return async (now) => {
    if ((await nextQueue(db).executeTakeFirst()) === undefined) return undefined
    return db.transaction().execute(async (trx) => {
      const row = await dialect.skipLocked(nextQueue(trx)).executeTakeFirst()
      if (row === undefined) return undefined
      const queue = { accountId: row.account_id, endpointId: row.endpoint_id || null }
      const receiver = await receiverOf(trx, queue)
      if (typeof receiver !== 'string') {
        // The endpoint was enabled again.
        await setQueue(trx, queue, { ending_at: null, next_at: await firstWaiting(trx, queue) })
        return 0
      }
      const { ids, bytes } = await partOf(trx, queue)
      if (ids.length > 0) {
        await trx
          .updateTable('webhook_deliveries')
          .set({ status: 'failed', problem: receiver, next_attempt_at: null, ended_at: now })
          .where('id', 'in', ids)
          .execute()
        await addToQueue(trx, queue, minus({ count: ids.length, bytes }), null)
      }
      // Behind the other queues, until none waits.
      const isDone = (await firstWaiting(trx, queue)) === null
      await setQueue(trx, queue, { ending_at: isDone ? null : now, next_at: null })
      return ids.length
    })
  }
}

/**
 * Finds the oldest deliveries up to both limits: at least one, if any waits. `bytes`: those that they count for in the
 * queue.
 */
async function partOf(trx: Kysely<Schema>, queue: WebhookQueue): Promise<{ ids: string[]; bytes: number }> {
  const rows = await waitingIn(trx, queue)
    .select(['id', rowBytes.as('written'), waitingBytes.as('bytes')])
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(rowsMax)
    .execute()
  const ids: string[] = []
  let written = 0
  let bytes = 0
  for (const row of rows) {
    written += Number(row.written)
    if (ids.length > 0 && written > bytesMax) break
    ids.push(row.id)
    bytes += Number(row.bytes)
  }
  return { ids, bytes }
}
