import { type Kysely, sql } from 'kysely'
import type { WebhookDeliveryStore } from '../../../domain/webhooks/webhook.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { endsAt } from '../sql/ended-keys.ts'
import { readPage } from '../sql/read-page.ts'
import { claimingDeliveries } from '../sql/webhook-claims.ts'
import { deliveryColumns, toDelivery, toDeliveryRow, toDetails } from '../sql/webhook-delivery-row.ts'
import { dispatchingEvents } from '../sql/webhook-dispatch.ts'
import { endingDeliveries } from '../sql/webhook-endings.ts'
import { emitNotice } from '../sql/webhook-events.ts'
import { addToQueue, deliveryRowBytes, isFull, minus, waitingBytes } from '../sql/webhook-queues.ts'
import { recordingAttempts } from '../sql/webhook-records.ts'
import { insertOnce } from './idempotency.ts'

export function createWebhookDeliveryStore(db: Kysely<Schema>, dialect: Dialect): WebhookDeliveryStore {
  function deliveryOf(accountId: string, id: string) {
    return db.selectFrom('webhook_deliveries').where('id', '=', id).where('account_id', '=', accountId)
  }

  return {
    dispatch: dispatchingEvents(db, dialect),
    claim: claimingDeliveries(db, dialect),
    endSome: endingDeliveries(db, dialect),
    record: recordingAttempts(db, dialect),

    async add(delivery, body, record) {
      const queue = { accountId: delivery.accountId, endpointId: delivery.endpointId }
      const add = async (trx: Kysely<Schema>) => {
        const added = { count: 1, bytes: deliveryRowBytes + Buffer.byteLength(body) }
        const waiting = await addToQueue(trx, queue, added, delivery.createdAt)
        if (await isFull(trx, delivery.accountId, waiting)) {
          await addToQueue(trx, queue, minus(added), delivery.createdAt)
          return undefined
        }
        await trx.insertInto('webhook_deliveries').values(toDeliveryRow(delivery, body)).execute()
        return delivery
      }
      return db.transaction().execute((trx) => insertOnce(trx, record, delivery.id, add))
    },

    async find(accountId, id) {
      const row = await deliveryOf(accountId, id).selectAll().executeTakeFirst()
      return row && toDetails(row)
    },

    async list(accountId, page, { endpointId, status }) {
      let matching = db.selectFrom('webhook_deliveries').where('account_id', '=', accountId)
      if (endpointId !== undefined) matching = matching.where('endpoint_id', '=', endpointId)
      if (status !== undefined) matching = matching.where('status', '=', status)
      // The condition of the index of both filters. The index of one filter would read the row of each delivery before the page for it.
      const isOfBoth = endpointId !== undefined && status !== undefined
      if (isOfBoth && status !== 'pending') matching = matching.where('ended_at', 'is not', null)
      return readPage(page, {
        table: db.selectFrom('webhook_deliveries'),
        matching,
        columns: (rows) => rows.select(deliveryColumns),
        toItem: toDelivery,
      })
    },

    async replay(accountId, id, now, record) {
      const replay = async (trx: Kysely<Schema>) => {
        const row = await trx
          .updateTable('webhook_deliveries')
          .set({ status: 'pending', attempts: 0, next_attempt_at: now, problem: null, ended_at: null })
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .where('ended_at', 'is not', null)
          .returning(['endpoint_id', waitingBytes.as('bytes')])
          .executeTakeFirst()
        if (row === undefined) return false
        const replayed = { count: 1, bytes: Number(row.bytes) }
        await addToQueue(trx, { accountId, endpointId: row.endpoint_id || null }, replayed, now)
        return true
      }
      return db.transaction().execute((trx) => insertOnce(trx, record, id, replay))
    },

    async budgets(month, defaultMicros) {
      const rows = await db
        .selectFrom('accounts')
        .innerJoin('budgets', (join) => join.onRef('budgets.scope', '=', 'accounts.id').on('period', '=', month))
        .where('accounts.id', 'in', accountsWithEndpoints(db))
        .select(['accounts.id', 'monthly_budget_micros', 'spent'])
        .execute()
      return rows.flatMap(({ id, monthly_budget_micros, spent }) => {
        const budget = monthly_budget_micros ?? defaultMicros
        return budget === null || budget < 0 ? [] : [{ accountId: id, budgetMicros: budget, spentMicros: spent }]
      })
    },

    async expiringKeys(from, until, max) {
      const rows = await db
        .selectFrom('keys')
        .select(['id', 'account_id', 'name', 'prefix', 'expires_at'])
        // A key that will be revoked ends before it expires, so that both times are after `from`.
        .where(endsAt, '>', from)
        .where(endsAt, '<=', until)
        .where('expires_at', '<=', until)
        .where(sql<boolean>`exists (
          select 1 from webhook_endpoints as e where e.account_id = keys.account_id and e.disabled_at is null)`)
        // Keys with a notice are not read again, or the first ones would hide the others.
        .where(sql<boolean>`not exists (
          select 1 from webhook_notices as n where n.id = 'key_' || keys.id || '_' || keys.expires_at)`)
        .orderBy(endsAt)
        .limit(max)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        accountId: row.account_id,
        name: row.name,
        prefix: row.prefix,
        expiresAt: Number(row.expires_at),
      }))
    },

    notify: (notice) => db.transaction().execute((trx) => emitNotice(trx, notice)),
  }
}

function accountsWithEndpoints(db: Kysely<Schema>) {
  return db.selectFrom('webhook_endpoints').select('account_id').where('disabled_at', 'is', null)
}
