import type { Kysely } from 'kysely'
import type { IdempotencyRecord, IdempotencyStore, StoredResponse } from '../../domain/idempotency.ts'
import type { IdempotencyRow, Schema } from './schema.ts'

export function createIdempotencyStore(db: Kysely<Schema>): IdempotencyStore {
  return {
    async begin(request, expiredBeforeMs) {
      const row = newRow(request)
      // The record that was in the way may be gone when it is read: then the key is free, and is tried for again.
      for (;;) {
        const written = await db
          .insertInto('idempotency_keys')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .columns(['account_id', 'key'])
              .doUpdateSet(row)
              .where('idempotency_keys.created_at', '<', expiredBeforeMs),
          )
          .executeTakeFirst()
        if (written.numInsertedOrUpdatedRows === 1n) return 'new'
        const found = await db
          .selectFrom('idempotency_keys')
          .selectAll()
          .where('account_id', '=', request.accountId)
          .where('key', '=', request.key)
          .executeTakeFirst()
        if (found !== undefined) return toRecord(found)
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

    async abandon(accountId, key) {
      await db
        .deleteFrom('idempotency_keys')
        .where('account_id', '=', accountId)
        .where('key', '=', key)
        .where('state', '=', 'running')
        .execute()
    },

    async recover() {
      const result = await db
        .deleteFrom('idempotency_keys')
        .where('state', '=', 'running')
        .where('execution_id', 'is', null)
        .executeTakeFirst()
      return Number(result.numDeletedRows)
    },

    async sweep(beforeMs) {
      const result = await db.deleteFrom('idempotency_keys').where('created_at', '<', beforeMs).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}

function newRow(request: Parameters<IdempotencyStore['begin']>[0]): IdempotencyRow {
  return {
    account_id: request.accountId,
    key: request.key,
    endpoint: request.endpoint,
    fingerprint: request.fingerprint,
    state: 'running',
    response: null,
    execution_id: request.executionId ?? null,
    created_at: request.createdAt,
  }
}

function toRecord(row: IdempotencyRow): IdempotencyRecord {
  return {
    accountId: row.account_id,
    key: row.key,
    endpoint: row.endpoint,
    fingerprint: row.fingerprint,
    state: row.state as IdempotencyRecord['state'],
    response: row.response === null ? null : (JSON.parse(row.response) as StoredResponse),
    executionId: row.execution_id,
    createdAt: row.created_at,
  }
}
