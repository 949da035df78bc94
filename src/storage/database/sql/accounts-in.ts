import { type Expression, type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** The accounts with rows in a table, in order: one step of an index for each, however many rows it has. */
export async function accountsIn(
  db: Kysely<Schema>,
  table: keyof Schema,
  condition: Expression<unknown> = sql`1 = 1`,
): Promise<string[]> {
  const rowsOf = sql`from ${sql.table(table)} as r where ${condition}`
  const { rows } = await sql<{ account_id: string }>`
    with recursive each_account (account_id) as (
      select min(account_id) ${rowsOf}
      union all
      select (select min(r.account_id) ${rowsOf} and r.account_id > each_account.account_id)
      from each_account where each_account.account_id is not null)
    select account_id from each_account where account_id is not null`.execute(db)
  return rows.map(({ account_id }) => account_id)
}
