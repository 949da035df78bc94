import type { Kysely } from 'kysely'
import {
  IdempotencyKeyTaken,
  type IdempotencyRecord,
  type IdempotencyStore,
  type IdempotentResponse,
  type NewIdempotencyRecord,
} from '../../../domain/idempotency.ts'
import type { IdempotencyRow, Schema } from '../schema.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { prepared } from '../sql/prepared.ts'

export function createIdempotencyStore(db: Kysely<Schema>): IdempotencyStore {
  const select = prepared(({ accountId, key }: { accountId: string; key: string }) =>
    db.selectFrom('idempotency_keys').selectAll().where('account_id', '=', accountId).where('key', '=', key),
  )

  return {
    async find(accountId, key) {
      const [row] = (await select(db, { accountId, key })).rows
      return row && toRecord(row)
    },

    async finish(record, response) {
      const row = toRow(record, null, response)
      const result = await db
        .insertInto('idempotency_keys')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'key'])
            .doUpdateSet({ state: row.state, response: row.response })
            .where('idempotency_keys.state', '=', 'running')
            .where('idempotency_keys.method', '=', row.method)
            .where('idempotency_keys.path', '=', row.path)
            .where('idempotency_keys.fingerprint', '=', row.fingerprint),
        )
        .executeTakeFirst()
      return result.numInsertedOrUpdatedRows === 1n
    },

    async remove(accountId, key, beforeMs) {
      await db
        .deleteFrom('idempotency_keys')
        .where('account_id', '=', accountId)
        .where('key', '=', key)
        .where('created_at', '<', beforeMs)
        .execute()
    },
  }
}

/**
 * Writes the idempotency key of a request and then its resource, both or nothing. Throws `KeyTaken` if the key
 * exists: of several callers at the same time, each with another id, one writes its resource.
 */
export async function insertOnce<Result>(
  db: Kysely<Schema>,
  record: NewIdempotencyRecord | undefined,
  resourceId: string,
  insert: (within: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  if (record === undefined) return insert(db)
  const insertBoth = async (trx: Kysely<Schema>) => {
    const inserted = await trx
      .insertInto('idempotency_keys')
      .values(toRow(record, resourceId, null))
      .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows !== 1n) throw new IdempotencyKeyTaken()
    return insert(trx)
  }
  return inTransaction(db, insertBoth)
}

function toRow(
  record: NewIdempotencyRecord,
  resourceId: string | null,
  response: IdempotentResponse | null,
): IdempotencyRow {
  return {
    account_id: record.accountId,
    key: record.key,
    method: record.method,
    path: record.path,
    fingerprint: record.fingerprint,
    state: response === null ? 'running' : 'done',
    response: response && JSON.stringify(response),
    resource_id: resourceId,
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
    response: row.response === null ? null : (JSON.parse(row.response) as IdempotentResponse),
    resourceId: row.resource_id,
    createdAt: row.created_at,
  }
}
