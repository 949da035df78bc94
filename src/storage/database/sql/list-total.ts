import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'

/** How many rows an account's list has, from the totals that triggers keep: see migrations/init-triggers.ts. */
export function listTotal(db: Kysely<Schema>, accountId: string, list: string, value = '') {
  return db
    .selectFrom('list_totals')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('total'), eb.lit(0)).as('total'))
    .where('account_id', '=', accountId)
    .where('list', '=', list)
    .where('value', '=', value)
}
