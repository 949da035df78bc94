/** Removes ended deliveries of webhooks, and queues that nothing uses. */
import { type Expression, type Kysely, sql } from 'kysely'
import type { WebhookDeliveryStore } from '../../../domain/webhooks/webhook.ts'
import type { Schema } from '../schema.ts'
import { accountsIn } from './accounts-in.ts'
import { releaseBodies } from './webhook-bodies.ts'

type SweepMethods = Pick<WebhookDeliveryStore, 'sweepOld' | 'accounts' | 'findExcess' | 'sweepUpTo' | 'sweepQueues'>

export function sweepingDeliveries(db: Kysely<Schema>): SweepMethods {
  const ended = db.selectFrom('webhook_deliveries').where('ended_at', 'is not', null)
  return {
    async sweepOld(endedBefore, rowsMax) {
      const old = ended.select('id').where('ended_at', '<', endedBefore).orderBy('ended_at').limit(rowsMax)
      return deleteDeliveries(db, old)
    },

    async accounts() {
      // An endpoint that was deleted has deliveries, but no queue.
      const ofDeliveries = await accountsIn(db, 'webhook_deliveries', sql`ended_at is not null`)
      const ofQueues = await accountsIn(db, 'webhook_queues')
      return [...new Set([...ofDeliveries, ...ofQueues])]
    },

    async findExcess(accountId, keptMax) {
      const row = await ended
        .select(['created_at', 'id'])
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .offset(keptMax)
        .executeTakeFirst()
      return row && { createdAt: row.created_at, id: row.id }
    },

    async sweepUpTo(accountId, { createdAt, id }, rowsMax) {
      const oldest = ended
        .select('id')
        .where('account_id', '=', accountId)
        .where(sql<boolean>`(created_at, id) <= (${createdAt}, ${id})`)
        .orderBy('created_at')
        .orderBy('id')
        .limit(rowsMax)
      return deleteDeliveries(db, oldest)
    },

    async sweepQueues(accountId) {
      await db
        .deleteFrom('webhook_queues')
        .where('account_id', '=', accountId)
        .where('waiting', '=', 0)
        .where('endpoint_id', '<>', '')
        .where(sql<boolean>`not exists (select 1 from webhook_endpoints as e where e.id = webhook_queues.endpoint_id)`)
        .execute()
    },
  }
}

async function deleteDeliveries(db: Kysely<Schema>, ids: Expression<{ id: string }>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const rows = await trx
      .deleteFrom('webhook_deliveries')
      .where((eb) => eb('id', 'in', ids as never))
      .returning('body_id')
      .execute()
    await releaseBodies(
      trx,
      rows.flatMap(({ body_id }) => body_id ?? []),
    )
    return rows.length
  })
}
