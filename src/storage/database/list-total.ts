import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** How many rows an account's list has, from what the triggers of the migration `written-totals` keep. */
export function listTotal(db: Kysely<Schema>, accountId: string, list: string, value = '') {
  return db
    .selectFrom('list_totals')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('total'), eb.lit(0)).as('total'))
    .where('account_id', '=', accountId)
    .where('list', '=', list)
    .where('value', '=', value)
}
