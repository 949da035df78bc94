import type { Kysely } from 'kysely'
import { TooManyBatchesRunning } from '../../../domain/batch.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'

/** Within the transaction in which another batch of the account begins to run. Throws `TooManyBatchesRunning`. */
export async function requireFewRunning(
  trx: Kysely<Schema>,
  dialect: Dialect,
  accountId: string,
  runningMax: number,
): Promise<void> {
  // Of several batches that begin at the same time, each counts those before it.
  await dialect.lockRows(trx.selectFrom('accounts').select('id').where('id', '=', accountId)).execute()
  const { n } = await trx
    .selectFrom('batches')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('account_id', '=', accountId)
    .where('status', '=', 'running')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(n) >= runningMax) throw new TooManyBatchesRunning(runningMax)
}
