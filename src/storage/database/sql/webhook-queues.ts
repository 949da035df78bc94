/** Queues of webhook deliveries: one for each endpoint, and one for the URLs of executions of an account. */
import { type Kysely, sql } from 'kysely'
import type { WebhookQueue } from '../../../domain/webhooks/webhook.ts'
import { limits } from '../../../limits.ts'
import type { Schema } from '../schema.ts'

/** Deliveries that wait, and their bytes. */
export interface Waiting {
  count: number
  bytes: number
}

/** Adds deliveries that are due at this time, or removes ended ones. Returns those that wait. Locks the queue until the transaction ends. */
export async function addToQueue(
  trx: Kysely<Schema>,
  { accountId, endpointId }: WebhookQueue,
  { count, bytes }: Waiting,
  dueAt: number | null,
): Promise<Waiting> {
  const row = await trx
    .insertInto('webhook_queues')
    .values({
      account_id: accountId,
      endpoint_id: endpointId ?? '',
      waiting: Math.max(0, count),
      waiting_bytes: Math.max(0, bytes),
      next_at: dueAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'endpoint_id']).doUpdateSet({
        waiting: sql`webhook_queues.waiting + ${sql.lit(count)}`,
        waiting_bytes: sql`webhook_queues.waiting_bytes + ${bytes}`,
        next_at: sql`case when webhook_queues.next_at is null or webhook_queues.next_at > excluded.next_at
          then excluded.next_at else webhook_queues.next_at end`,
      }),
    )
    .returning(['waiting', 'waiting_bytes'])
    .executeTakeFirstOrThrow()
  return { count: Number(row.waiting), bytes: Number(row.waiting_bytes) }
}

/** Bytes that a delivery counts for, in addition to its body. */
export const deliveryRowBytes = 500

/** Bytes that a row of `webhook_deliveries` counts for while it waits. The size of a column is known without reading it. */
export const waitingBytes = sql<number>`${sql.lit(deliveryRowBytes)} + octet_length(webhook_deliveries.body)`

/** No deliveries: a change of the time, or a lock. */
export const none: Waiting = { count: 0, bytes: 0 }

export function minus({ count, bytes }: Waiting): Waiting {
  return { count: -count, bytes: -bytes }
}

/** An account with too many bytes has a queue with at least its share: small queues of the same account are not full. */
const fairBytes = limits.webhookWaitingBytesMax / (limits.webhookEndpointsMax + 1)

export async function isFull(trx: Kysely<Schema>, accountId: string, { count, bytes }: Waiting): Promise<boolean> {
  if (count > limits.webhookDeliveriesWaitingMax) return true
  if (bytes <= fairBytes) return false
  const account = await trx
    .selectFrom('webhook_queues')
    .select((eb) => eb.fn.sum<number>('waiting_bytes').as('bytes'))
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return Number(account?.bytes) > limits.webhookWaitingBytesMax
}

/** The deliveries of a queue that have not ended. */
export function waitingIn(db: Kysely<Schema>, { accountId, endpointId }: WebhookQueue) {
  return db
    .selectFrom('webhook_deliveries')
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId ?? '')
    .where('status', '=', sql.lit('pending'))
}

/** When the first delivery of a queue is due. Null if none waits. */
export async function firstWaiting(db: Kysely<Schema>, queue: WebhookQueue): Promise<number | null> {
  const first = await waitingIn(db, queue)
    .select((eb) => eb.fn.min('next_attempt_at').as('at'))
    .executeTakeFirst()
  return first?.at == null ? null : Number(first.at)
}

export async function setQueue(
  trx: Kysely<Schema>,
  { accountId, endpointId }: WebhookQueue,
  columns: { next_at: number | null; ending_at?: number | null },
): Promise<void> {
  await trx
    .updateTable('webhook_queues')
    .set(columns)
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId ?? '')
    .execute()
}

/** Orders queues, so that transactions lock several of them in one order. */
export function byQueue(a: WebhookQueue, b: WebhookQueue): number {
  return keyOf(a) < keyOf(b) ? -1 : 1
}

export function keyOf({ accountId, endpointId }: WebhookQueue): string {
  return `${accountId} ${endpointId ?? ''}`
}
