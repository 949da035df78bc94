/** Queues of webhook deliveries: one for each endpoint, and one for the URLs of executions of an account. */
import { type Kysely, sql } from 'kysely'
import type { WebhookQueue } from '../../../domain/webhook.ts'
import type { Schema } from '../schema.ts'

/** Adds deliveries that are due at this time, or removes ended ones. Returns the number that wait. Locks the queue until the transaction ends. */
export async function addToQueue(
  trx: Kysely<Schema>,
  { accountId, endpointId }: WebhookQueue,
  count: number,
  dueAt: number | null,
): Promise<number> {
  const row = await trx
    .insertInto('webhook_queues')
    .values({ account_id: accountId, endpoint_id: endpointId ?? '', waiting: Math.max(0, count), next_at: dueAt })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'endpoint_id']).doUpdateSet({
        waiting: sql`webhook_queues.waiting + ${sql.lit(count)}`,
        next_at: sql`case when webhook_queues.next_at is null or webhook_queues.next_at > excluded.next_at
          then excluded.next_at else webhook_queues.next_at end`,
      }),
    )
    .returning('waiting')
    .executeTakeFirstOrThrow()
  return Number(row.waiting)
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
