import type { Kysely } from 'kysely'
import { execute, textByBytes } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'

/** Budgets of API keys, by day and by month. A key has the budget of its id, or of the first key that it replaced. */
export const keyBudgets: LockingMigration = {
  tables: ['keys'],
  async up(db: Kysely<unknown>) {
    const text = textByBytes(db)
    await execute(db, [
      'alter table keys add column daily_budget_micros bigint',
      'alter table keys add column monthly_budget_micros bigint',
      `alter table keys add column budget_id ${text}`,
      'update keys set budget_id = id',
    ])
  },
}
