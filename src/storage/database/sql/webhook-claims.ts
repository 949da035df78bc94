/** Claims deliveries that are due. A claim is a lease: the delivery is due again at its end, unless its result was written. */
import { type Kysely, sql } from 'kysely'
import {
  type ClaimedDelivery,
  newWebhookSecret,
  type WebhookDeliveryStore,
  type WebhookQueue,
  type WebhookSecret,
} from '../../../domain/webhooks/webhook.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { accountSecret, toEndpoint } from './webhook-endpoint-row.ts'
import { firstWaiting, keyOf, setQueue, waitingIn } from './webhook-queues.ts'

export function claimingDeliveries(db: Kysely<Schema>, dialect: Dialect): WebhookDeliveryStore['claim'] {
  return async (now, { max, leaseMs, exceptQueues, exceptAccounts, roomFor }) => {
    const full = exceptQueues.map(keyOf)
    const dueQueues = (within: Kysely<Schema>) => {
      let due = within
        .selectFrom('webhook_queues')
        .select(['account_id', 'endpoint_id'])
        .where('next_at', 'is not', null)
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .limit(max)
      if (exceptAccounts.length > 0) due = due.where('account_id', 'not in', [...exceptAccounts])
      if (full.length > 0) due = due.where(sql<string>`account_id || ' ' || endpoint_id`, 'not in', full)
      return due
    }
    if ((await dueQueues(db).limit(1).execute()).length === 0) return []
    return db.transaction().execute(async (trx) => {
      const claimed: ClaimedDelivery[] = []
      for (const row of await dialect.skipLocked(dueQueues(trx)).execute()) {
        const queue = { accountId: row.account_id, endpointId: row.endpoint_id || null }
        const room = Math.min(max - claimed.length, roomFor(queue, claimed))
        if (room > 0) claimed.push(...(await claimFrom(trx, queue, { now, leaseMs, room })))
      }
      return claimed
    })
  }
}

async function claimFrom(
  trx: Kysely<Schema>,
  queue: WebhookQueue,
  { now, leaseMs, room }: { now: number; leaseMs: number; room: number },
): Promise<ClaimedDelivery[]> {
  const receiver = await receiverOf(trx, queue)
  if (typeof receiver === 'string') {
    await setQueue(trx, queue, { next_at: null, ending_at: now })
    return []
  }
  const due = await waitingIn(trx, queue)
    .select('id')
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(room)
    .execute()
  const ids = due.map(({ id }) => id)
  const rows =
    ids.length === 0
      ? []
      : await trx
          .updateTable('webhook_deliveries')
          .set((eb) => ({
            attempts: eb('attempts', '+', 1),
            next_attempt_at: now + leaseMs,
            ...(receiver.url === undefined ? {} : { url: receiver.url }),
          }))
          .where('id', 'in', ids)
          .returning(['id', 'url', 'event_id', 'body', 'attempts', 'created_at', 'traceparent'])
          .execute()
  // A queue with more due deliveries is behind all others that are due.
  const first = await firstWaiting(trx, queue)
  await setQueue(trx, queue, { next_at: first === null ? null : Math.max(now, first) })
  return rows.map((row) => ({
    ...queue,
    id: row.id,
    url: row.url,
    eventId: row.event_id,
    body: row.body,
    createdAt: row.created_at,
    ...(row.traceparent === null ? {} : { traceparent: row.traceparent }),
    attempt: row.attempts,
    secret: receiver.secret,
  }))
}

/** The secret and the URL for the deliveries of a queue, or the problem of those that can't be sent. */
export async function receiverOf(
  trx: Kysely<Schema>,
  { accountId, endpointId }: WebhookQueue,
): Promise<{ secret: WebhookSecret; url?: string } | 'endpoint_deleted' | 'endpoint_disabled'> {
  if (endpointId === null) return { secret: await accountSecret(trx, accountId, newWebhookSecret()) }
  const row = await trx.selectFrom('webhook_endpoints').selectAll().where('id', '=', endpointId).executeTakeFirst()
  if (row === undefined) return 'endpoint_deleted'
  if (row.disabled_at !== null) return 'endpoint_disabled'
  const { url, secret, previous, previousUntil } = toEndpoint(row)
  return { url, secret: { secret, previous, previousUntil } }
}
