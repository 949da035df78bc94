/**
 * Long brand values of executions. Those of one account with the same values share a row: all executions of a batch read the same ones, and a
 * copy in each of them could take gigabytes.
 */
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { dayMs } from '../../../domain/accounts/activity.ts'
import type { Schema } from '../schema.ts'
import { prepared } from './prepared.ts'

/** A use is noted once a day, and the retention leaves values alone that were used in the last two: none that an execution is about to get. */
export const brandUseMs = dayMs

/** Shorter values are in the row of their execution. Eight times as long as a hash. */
export const sharedBrandBytesMin = 512

/** JSON is never a hash, and the search for null finds nothing. */
const shared = sql`(select each.brand from execution_brands as each
  where each.account_id = executions.account_id and each.hash = executions.brand)`

/** The brand values of a row of `executions`, as JSON. */
export const brandOfExecution = sql<string | null>`coalesce(${shared}, executions.brand)`

interface StoredBrand {
  /** The value of the column `brand`. */
  column: string | null
  /** Adds the shared row, or notes its use. It is first in the transaction of the execution, so that those that wait for it have no locks. */
  add?: (trx: Kysely<Schema>) => Promise<void>
}

export function storingBrands(db: Kysely<Schema>) {
  const find = prepared(({ accountId, hash, since }: { accountId: string; hash: string; since: number }) =>
    db
      .selectFrom('execution_brands')
      .select('hash')
      .where('account_id', '=', accountId)
      .where('hash', '=', hash)
      .where('used_at', '>', since),
  )
  return async (accountId: string, brand: string | null, now: number): Promise<StoredBrand> => {
    if (brand === null || Buffer.byteLength(brand) < sharedBrandBytesMin) return { column: brand }
    const hash = createHash('sha256').update(brand).digest('hex')
    if ((await find(db, { accountId, hash, since: now - brandUseMs })).rows.length > 0) return { column: hash }
    const row = { account_id: accountId, hash, brand, used_at: now }
    return {
      column: hash,
      async add(trx) {
        await trx
          .insertInto('execution_brands')
          .values(row)
          .onConflict((conflict) => conflict.columns(['account_id', 'hash']).doUpdateSet({ used_at: now }))
          .execute()
      },
    }
  }
}
