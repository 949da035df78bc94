import type { Kysely } from 'kysely'
import type { IdempotencyRecord, IdempotencyStore, IdempotentResponse } from '../../domain/idempotency.ts'
import type { IdempotencyRow, Schema } from './schema.ts'

export function createIdempotencyStore(db: Kysely<Schema>): IdempotencyStore {
  return {
    async begin(record) {
      // The record that was in the way may be gone when it is read: then the key is free, and is tried for again.
      for (;;) {
        const inserted = await db
          .insertInto('idempotency_keys')
          .values(newRow(record))
          .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
          .executeTakeFirst()
        if (inserted.numInsertedOrUpdatedRows === 1n) return 'new'
        const row = await db
          .selectFrom('idempotency_keys')
          .selectAll()
          .where('account_id', '=', record.accountId)
          .where('key', '=', record.key)
          .executeTakeFirst()
        if (row !== undefined) return toRecord(row)
      }
    },

    async finish(accountId, key, response) {
      const result = await db
        .updateTable('idempotency_keys')
        .set({ state: 'done', response: JSON.stringify(response) })
        .where('account_id', '=', accountId)
        .where('key', '=', key)
        .where('state', '=', 'running')
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async abandon(accountId, key, begunAt) {
      let running = db
        .deleteFrom('idempotency_keys')
        .where('account_id', '=', accountId)
        .where('key', '=', key)
        .where('state', '=', 'running')
      if (begunAt !== undefined) running = running.where('created_at', '=', begunAt)
      await running.execute()
    },

    async sweep(beforeMs) {
      const result = await db.deleteFrom('idempotency_keys').where('created_at', '<', beforeMs).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}

function newRow(record: Parameters<IdempotencyStore['begin']>[0]): IdempotencyRow {
  return {
    account_id: record.accountId,
    key: record.key,
    method: record.method,
    path: record.path,
    fingerprint: record.fingerprint,
    state: 'running',
    response: null,
    execution_id: record.executionId,
    created_at: record.createdAt,
  }
}

function toRecord(row: IdempotencyRow): IdempotencyRecord {
  return {
    accountId: row.account_id,
    key: row.key,
    method: row.method,
    path: row.path,
    fingerprint: row.fingerprint,
    state: row.state as IdempotencyRecord['state'],
    response: row.response === null ? null : (JSON.parse(row.response) as IdempotentResponse),
    executionId: row.execution_id,
    createdAt: row.created_at,
  }
}
