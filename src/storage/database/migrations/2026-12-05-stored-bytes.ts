import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { execute, isPostgres } from '../dialect.ts'

/** The bytes that each account stores, as a total that triggers keep: see init-triggers.ts. And the maximum of single accounts. */
export const storedBytes: Migration = {
  async up(db: Kysely<unknown>) {
    const id = isPostgres(db) ? 'gen_random_uuid()::text, ' : ''
    const rows = counted.map(
      (each) => `select ${accountOf(each, `${each.table}.`)} as account_id, ${each.bytes('')} as bytes
        from ${each.table} where ${each.isCounted('')}`,
    )
    await execute(db, [
      `alter table accounts add column storage_bytes_max ${isPostgres(db) ? 'bigint' : 'integer'}`,
      `insert into list_totals select ${id}account_id, 'stored_bytes', '', sum(bytes)
        from (${rows.join(' union all ')}) as stored group by account_id`,
      ...counted.flatMap((each) => bytesTriggers(db, each)),
    ])
  },
}

/** Rows of a table. `row` is the prefix of columns, with the dot. */
export interface Counted {
  table: string
  /** The total that has their bytes. Default: `stored_bytes`. */
  list?: string
  /** SQL for the account of a row. Default: the column `account_id`. */
  account?: (row: string) => string
  bytes: (row: string) => string
  isCounted: (row: string) => string
  /** The columns of `bytes` that change, with commas. Default: none does. */
  changing?: string
  /** Statements write thousands of rows: they are counted together. */
  inParts?: true
}

/** Text counts from 16 KiB: most rows are shorter, and pay nothing for the count. */
export function longText(table: string, columns: string[], more: Pick<Counted, 'account' | 'changing'> = {}): Counted {
  const bytes = (row: string) => columns.map((column) => `coalesce(octet_length(${row}${column}), 0)`).join(' + ')
  return { table, bytes, isCounted: (row) => `${bytes(row)} >= 16384`, ...more }
}

const counted: Counted[] = [
  { table: 'images', bytes: (row) => `${row}size`, isCounted: () => '1 = 1' },
  { table: 'batch_items', bytes: (row) => `octet_length(${row}parameters)`, isCounted: () => '1 = 1', inParts: true },
  longText('executions', ['parameters', 'document']),
  longText('drafts', ['document'], { changing: 'document' }),
  longText('idempotency_keys', ['response'], { changing: 'response' }),
  longText('workflow_versions', ['document'], {
    account: (row) => `(select account_id from workflows where id = ${row}workflow_id)`,
  }),
]

/** The triggers that count these rows. */
export function bytesTriggers(db: Kysely<unknown>, rows: Counted): string[] {
  return isPostgres(db) ? postgresTriggers(rows) : sqliteTriggers(rows)
}

function accountOf({ account }: Counted, row: string): string {
  return account?.(row) ?? `${row}account_id`
}

export function countedBytes({ bytes, isCounted }: Counted, row: string): string {
  return `case when ${isCounted(row)} then ${bytes(row)} else 0 end`
}

/** The change of an update. */
function difference(rows: Counted): string {
  return `(${countedBytes(rows, 'new.')}) - (${countedBytes(rows, 'old.')})`
}

function sqliteTriggers(rows: Counted): string[] {
  const { table, list = 'stored_bytes', bytes, isCounted, changing } = rows
  const add = (row: 'new.' | 'old.', change: string) => `
    insert into list_totals (account_id, list, value, total)
      values (${accountOf(rows, row)}, '${list}', '', ${change})
      on conflict do update set total = total + excluded.total;`
  return [
    `create trigger ${table}_bytes_added after insert on ${table} when ${isCounted('new.')}
      begin ${add('new.', bytes('new.'))} end`,
    `create trigger ${table}_bytes_removed after delete on ${table} when ${isCounted('old.')}
      begin ${add('old.', `-(${bytes('old.')})`)} end`,
    ...(changing === undefined
      ? []
      : [
          `create trigger ${table}_bytes_changed after update of ${changing} on ${table} when ${difference(rows)} <> 0
            begin ${add('new.', difference(rows))} end`,
        ]),
  ]
}

function postgresTriggers(rows: Counted): string[] {
  const { table, list = 'stored_bytes', bytes, isCounted, changing, inParts } = rows
  const add = (account: string, change: string) =>
    `perform add_to_list(${account}, '${list}', '', (${change})::bigint);`
  const trigger = (name: string, event: string, when: string, work: string) => [
    `create function ${table}_bytes_${name}() returns trigger language plpgsql as $$
      begin ${work} return null; end $$`,
    `create trigger ${table}_bytes_${name} after ${event} on ${table} for each row when (${when})
      execute function ${table}_bytes_${name}()`,
  ]
  const triggerOfMany = (name: string, event: string, tableOf: 'new' | 'old', sign: string) => [
    `create function ${table}_bytes_${name}() returns trigger language plpgsql as $$
      declare changed record;
      begin
        for changed in select account_id, sum(${bytes('')}) as n from changed_rows group by account_id
        loop ${add('changed.account_id', `${sign}changed.n`)} end loop;
        return null;
      end $$`,
    `create trigger ${table}_bytes_${name} after ${event} on ${table} referencing ${tableOf} table as changed_rows
      for each statement execute function ${table}_bytes_${name}()`,
  ]
  if (inParts)
    return [...triggerOfMany('added', 'insert', 'new', ''), ...triggerOfMany('removed', 'delete', 'old', '-')]
  return [
    ...trigger('added', 'insert', isCounted('new.'), add(accountOf(rows, 'new.'), bytes('new.'))),
    ...trigger('removed', 'delete', isCounted('old.'), add(accountOf(rows, 'old.'), `-(${bytes('old.')})`)),
    ...(changing === undefined
      ? []
      : trigger(
          'changed',
          `update of ${changing}`,
          `${difference(rows)} <> 0`,
          add(accountOf(rows, 'new.'), difference(rows)),
        )),
  ]
}
