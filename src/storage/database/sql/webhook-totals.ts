import type { Kysely } from 'kysely'
import type { DeliveryFilter } from '../../../domain/webhooks/webhook.ts'
import type { Schema } from '../schema.ts'
import { listTotal } from './list-total.ts'

/** How many deliveries a list has. Queues count those that wait, and triggers those that have ended. */
export async function countDeliveries(
  db: Kysely<Schema>,
  accountId: string,
  { endpointId, status }: { [Key in keyof DeliveryFilter]: DeliveryFilter[Key] | undefined },
): Promise<{ total: number }> {
  let total = 0
  if (status === undefined || status === 'pending') {
    let queues = db.selectFrom('webhook_queues').where('account_id', '=', accountId)
    if (endpointId !== undefined) queues = queues.where('endpoint_id', '=', endpointId)
    const waiting = await queues.select((eb) => eb.fn.sum<number>('waiting').as('n')).executeTakeFirst()
    total += Number(waiting?.n ?? 0)
  }
  for (const ended of ['delivered', 'failed']) {
    if (status !== undefined && status !== ended) continue
    const query =
      endpointId === undefined
        ? listTotal(db, accountId, 'webhook_deliveries_in_status', ended)
        : listTotal(db, accountId, 'webhook_deliveries_of_endpoint_in_status', `${endpointId} ${ended}`)
    total += Number((await query.executeTakeFirstOrThrow()).total)
  }
  return { total }
}
