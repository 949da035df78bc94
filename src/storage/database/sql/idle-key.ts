/** Admits one execution of a key at a time. */
import type { Kysely } from 'kysely'
import { KeyBusy } from '../../../domain/executions/execution.ts'
import type { Dialect } from '../dialect.ts'
import type { ExecutionRow, Schema } from '../schema.ts'

/**
 * Throws `KeyBusy` if another execution of the key waits or runs. The row of the key is locked until the transaction ends, so of concurrent
 * requests one adds its execution.
 */
export async function requireIdleKey(
  trx: Kysely<Schema>,
  dialect: Dialect,
  { key_id: keyId, account_id: accountId }: Pick<ExecutionRow, 'key_id' | 'account_id'>,
): Promise<void> {
  if (keyId === null) return
  await dialect.lockRows(trx.selectFrom('keys').select('id').where('id', '=', keyId)).execute()
  // One query for each status: each has an index of the account.
  for (const status of ['pending', 'running'] as const) {
    const other = await trx
      .selectFrom('executions')
      .select('id')
      .where('account_id', '=', accountId)
      .where('status', '=', status)
      .where('key_id', '=', keyId)
      .limit(1)
      .executeTakeFirst()
    if (other !== undefined) throw new KeyBusy(keyId)
  }
}
