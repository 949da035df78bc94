import type { Kysely } from 'kysely'
import type { WebhookEndpointStore } from '../../../domain/webhooks/webhook.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { factsOf, recordChange, recording } from '../sql/audit.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { insertNew } from '../sql/insert.ts'
import type { Quotas } from '../sql/quotas.ts'
import { readCounted } from '../sql/read-page.ts'
import { accountSecret, secretColumns, toEndpoint, toEndpointRow, toSecret } from '../sql/webhook-endpoint-row.ts'
import { insertOnce } from './idempotency.ts'

export function createWebhookEndpointStore(db: Kysely<Schema>, dialect: Dialect, quotas: Quotas): WebhookEndpointStore {
  function endpointOf(accountId: string, id: string) {
    return db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).where('account_id', '=', accountId)
  }

  return {
    async create(endpoint, record) {
      const { accountId } = endpoint
      const insert = (trx: Kysely<Schema>) =>
        quotas.within(trx, { accountId }, ['webhookEndpoints'], async () => {
          await trx.insertInto('webhook_endpoints').values(toEndpointRow(endpoint)).execute()
          await recordChange(trx, 'webhook_endpoints', { id: endpoint.id }, 'webhookEndpoint.create')
        })
      await insertNew(dialect, 'webhook endpoint', () =>
        db.transaction().execute((trx) => insertOnce(trx, record, endpoint.id, () => insert(trx))),
      )
    },

    async find(accountId, id) {
      const row = await endpointOf(accountId, id).executeTakeFirst()
      return row && toEndpoint(row)
    },

    async list(accountId, page) {
      const matching = db.selectFrom('webhook_endpoints').where('account_id', '=', accountId)
      return readCounted(page, {
        table: db.selectFrom('webhook_endpoints'),
        matching,
        columns: (rows) => rows.selectAll(),
        count: matching.select((eb) => eb.fn.countAll<number>().as('total')),
        toItem: toEndpoint,
      })
    },

    async update(accountId, id, change, record) {
      const update = async (trx: Kysely<Schema>) => {
        const before = await dialect
          .lockRows(
            trx.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).where('account_id', '=', accountId),
          )
          .executeTakeFirst()
        if (before === undefined) return undefined
        const facts = await factsOf(trx, 'webhook_endpoints', { id })
        const endpoint = toEndpoint(before)
        const after = { ...endpoint, ...change(endpoint) }
        const { id: _, account_id, created_at, ...columns } = toEndpointRow(after)
        await trx.updateTable('webhook_endpoints').set(columns).where('id', '=', id).execute()
        await recordChange(trx, 'webhook_endpoints', { id }, 'webhookEndpoint.update', facts)
        return after
      }
      return db.transaction().execute((trx) => insertOnce(trx, record, id, update))
    },

    async remove(accountId, id) {
      const remove = async (trx: Kysely<Schema>) => {
        const result = await trx
          .deleteFrom('webhook_endpoints')
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .executeTakeFirst()
        return result.numDeletedRows > 0n
      }
      const isRemoved = await inTransaction(db, (trx) =>
        recording(trx, 'webhook_endpoints', { id }, 'webhookEndpoint.delete', () => remove(trx)),
      )
      if (!isRemoved) return false
      // Its waiting deliveries are found, and fail.
      await db
        .updateTable('webhook_queues')
        .set({ next_at: 0 })
        .where('account_id', '=', accountId)
        .where('endpoint_id', '=', id)
        .where('next_at', 'is not', null)
        .execute()
      return true
    },

    accountSecret: (accountId, initial) => accountSecret(db, accountId, initial),

    async changeAccountSecret(accountId, initial, change, record) {
      await accountSecret(db, accountId, initial)
      const update = async (trx: Kysely<Schema>) => {
        const rows = trx.selectFrom('webhook_secrets').selectAll().where('account_id', '=', accountId)
        const after = change(toSecret(await dialect.lockRows(rows).executeTakeFirstOrThrow()))
        const key = { account_id: accountId }
        const before = await factsOf(trx, 'webhook_secrets', key)
        await trx.updateTable('webhook_secrets').set(secretColumns(after)).where('account_id', '=', accountId).execute()
        await recordChange(trx, 'webhook_secrets', key, 'webhookSecret.rotate', before)
        return after
      }
      return db.transaction().execute((trx) => insertOnce(trx, record, accountId, update))
    },
  }
}
