import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { execute, isPostgres } from '../dialect.ts'

/**
 * The bytes of the step cache and of the checkpoints of each account, as totals that triggers keep: see init-triggers.ts. The size of a row never
 * changes. And an index of the checkpoints of an account by age: the one by size made evictions sort all of them.
 */
export const stepResultTotals: Migration = {
  async up(db: Kysely<unknown>) {
    const id = isPostgres(db) ? 'gen_random_uuid()::text, ' : ''
    const add = ({ table, list }: Summed) => `
      insert into list_totals select ${id}account_id, '${list}', '', sum(size) from ${table} group by account_id`
    await execute(db, [
      // Triggers first: on PostgreSQL they keep out writers whose rows the sum would not see.
      ...summed.flatMap(isPostgres(db) ? postgresTriggers : sqliteTriggers),
      ...summed.map(add),
      'drop index step_checkpoints_of_account',
      'create index step_checkpoints_of_account_oldest on step_checkpoints (account_id, created_at)',
    ])
  },
}

interface Summed {
  table: string
  list: string
}

const summed: Summed[] = [
  { table: 'step_results', list: 'step_result_bytes' },
  { table: 'step_checkpoints', list: 'step_checkpoint_bytes' },
]

function sqliteTriggers({ table, list }: Summed): string[] {
  const add = (account: string, change: string) => `
    insert into list_totals (account_id, list, value, total) values (${account}, '${list}', '', ${change})
      on conflict do update set total = total + excluded.total;`
  return [
    `create trigger ${list}_added after insert on ${table} begin ${add('new.account_id', 'new.size')} end`,
    `create trigger ${list}_removed after delete on ${table} begin ${add('old.account_id', '-old.size')} end`,
  ]
}

/** Statements write and remove hundreds of rows, which are counted together. */
function postgresTriggers({ table, list }: Summed): string[] {
  return [
    `create function add_${list}() returns trigger language plpgsql as $$
      declare changed record;
      begin
        for changed in
          select account_id, case tg_op when 'DELETE' then -sum(size) else sum(size) end as n
          from changed_rows group by account_id
        loop perform add_to_list(changed.account_id, '${list}', '', changed.n::bigint); end loop;
        return null;
      end $$`,
    `create trigger ${list}_added after insert on ${table} referencing new table as changed_rows
      for each statement execute function add_${list}()`,
    `create trigger ${list}_removed after delete on ${table} referencing old table as changed_rows
      for each statement execute function add_${list}()`,
  ]
}
