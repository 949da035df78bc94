import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { execute, isPostgres } from '../dialect.ts'
import { totalTriggers } from './init-triggers.ts'

/** The totals of ended deliveries. Queues have the number of those that wait. */
export const webhookTotals: Migration = {
  async up(db: Kysely<unknown>) {
    const id = isPostgres(db) ? 'gen_random_uuid()::text, ' : ''
    const count = (list: string, value: string) => `
      insert into list_totals
        select ${id}account_id, '${list}', value, n from (
          select account_id, ${value} as value, count(*) as n from webhook_deliveries
          where status <> 'pending' group by 1, 2) as counted`
    const ofEndpoint = (row: string) => `${row}endpoint_id || ' ' || ${row}status`
    const isIn = (row: string) => `${row}status <> 'pending'`
    await execute(db, [
      count('webhook_deliveries_in_status', 'status'),
      count('webhook_deliveries_of_endpoint_in_status', ofEndpoint('')),
      ...totalTriggers(db, {
        table: 'webhook_deliveries',
        columns: ['account_id', 'endpoint_id', 'status'],
        lists: [
          { list: 'webhook_deliveries_in_status', value: (row) => `${row}status`, isIn },
          { list: 'webhook_deliveries_of_endpoint_in_status', value: ofEndpoint, isIn },
        ],
      }),
      // With an index of one of the two filters, both engines would read all rows that only the other filter excludes.
      `create index webhook_deliveries_of_endpoint_in_status_newest
        on webhook_deliveries (account_id, endpoint_id, status, created_at, id) where ended_at is not null`,
    ])
  },
}
