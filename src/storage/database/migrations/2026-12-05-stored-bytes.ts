import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { execute, isPostgres } from '../dialect.ts'

/** The bytes that each account stores, as a total that triggers keep: see init-triggers.ts. And the maximum of single accounts. */
export const storedBytes: Migration = {
  async up(db: Kysely<unknown>) {
    const id = isPostgres(db) ? 'gen_random_uuid()::text, ' : ''
    await execute(db, [
      `alter table accounts add column storage_bytes_max ${isPostgres(db) ? 'bigint' : 'integer'}`,
      `insert into list_totals
        select ${id}account_id, 'stored_bytes', '', sum(n) from (
          ${counted.map(({ table, bytes, isCounted }) => `select account_id, ${bytes('')} as n from ${table} where ${isCounted('')}`).join(' union all ')}
        ) as stored group by account_id`,
      ...counted.flatMap((rows) => (isPostgres(db) ? postgresTriggers(rows) : sqliteTriggers(rows))),
    ])
  },
}

/** Rows of a table, and columns of them that never change. `row` is the prefix of columns, with the dot. */
interface Counted {
  table: string
  bytes: (row: string) => string
  isCounted: (row: string) => string
}

const ofExecution = (row: string) => `octet_length(${row}parameters) + coalesce(octet_length(${row}document), 0)`

const counted: Counted[] = [
  { table: 'images', bytes: (row) => `${row}size`, isCounted: () => '1 = 1' },
  // Most executions have short parameters, and pay nothing for the count.
  { table: 'executions', bytes: ofExecution, isCounted: (row) => `${ofExecution(row)} >= 16384` },
]

function sqliteTriggers({ table, bytes, isCounted }: Counted): string[] {
  const add = (row: 'new.' | 'old.', sign: '' | '-') => `
    insert into list_totals (account_id, list, value, total)
      values (${row}account_id, 'stored_bytes', '', ${sign}(${bytes(row)}))
      on conflict do update set total = total + excluded.total;`
  return [
    `create trigger ${table}_bytes_added after insert on ${table} when ${isCounted('new.')} begin ${add('new.', '')} end`,
    `create trigger ${table}_bytes_removed after delete on ${table} when ${isCounted('old.')} begin ${add('old.', '-')} end`,
  ]
}

function postgresTriggers({ table, bytes, isCounted }: Counted): string[] {
  const add = (row: 'new.' | 'old.', sign: '' | '-') =>
    `perform add_to_list(${row}account_id, 'stored_bytes', '', ${sign}(${bytes(row)})::bigint);`
  return [
    `create function add_bytes_of_${table}() returns trigger language plpgsql as $$
      begin ${add('new.', '')} return null; end $$`,
    `create function remove_bytes_of_${table}() returns trigger language plpgsql as $$
      begin ${add('old.', '-')} return null; end $$`,
    `create trigger ${table}_bytes_added after insert on ${table} for each row when (${isCounted('new.')})
      execute function add_bytes_of_${table}()`,
    `create trigger ${table}_bytes_removed after delete on ${table} for each row when (${isCounted('old.')})
      execute function remove_bytes_of_${table}()`,
  ]
}
