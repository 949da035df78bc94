/**
 * Triggers that count the bytes of each account, as totals in `list_totals`: those that it stores, and those of its previews, step results and
 * checkpoints. See init-triggers.ts.
 */
import type { Kysely } from 'kysely'
import { isPostgres } from '../dialect.ts'

export function bytesTriggers(db: Kysely<unknown>): string[] {
  return [
    ...counted.flatMap(isPostgres(db) ? postgresTriggers : sqliteTriggers),
    ...summed.flatMap(isPostgres(db) ? postgresSums : sqliteSums),
  ]
}

export function triggersOf(db: Kysely<unknown>, rows: Counted): string[] {
  return isPostgres(db) ? postgresTriggers(rows) : sqliteTriggers(rows)
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

const always = () => '1 = 1'

const counted: Counted[] = [
  { table: 'images', bytes: (row) => `${row}size`, isCounted: always },
  { table: 'batch_items', bytes: (row) => `octet_length(${row}parameters)`, isCounted: always, inParts: true },
  { table: 'execution_brands', bytes: (row) => `octet_length(${row}brand)`, isCounted: always },
  longText('executions', ['parameters', 'document', 'brand', 'steps', 'output', 'outputs', 'error'], {
    changing: 'steps, output, outputs, error',
  }),
  longText('drafts', ['document'], { changing: 'document' }),
  longText('idempotency_keys', ['response'], { changing: 'response' }),
  longText('workflow_versions', ['document'], {
    account: (row) => `(select account_id from workflows where id = ${row}workflow_id)`,
  }),
  // With a block of the disk. A file of unknown size counts as two bits for each pixel, more than most have.
  {
    table: 'previews',
    list: 'preview_bytes',
    bytes: (row) => `coalesce(${row}size, ${row}width * ${row}height / 4) + 4096`,
    isCounted: always,
    inParts: true,
  },
]

/** Text counts from 16 KiB: most rows are shorter, and pay nothing for the count. */
function longText(table: string, columns: string[], more: Pick<Counted, 'account' | 'changing'> = {}): Counted {
  const bytes = (row: string) => columns.map((column) => `coalesce(octet_length(${row}${column}), 0)`).join(' + ')
  return { table, bytes, isCounted: (row) => `${bytes(row)} >= 16384`, ...more }
}

function accountOf({ account }: Counted, row: string): string {
  return account?.(row) ?? `${row}account_id`
}

function countedBytes({ bytes, isCounted }: Counted, row: string): string {
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

/** Rows whose size never changes. */
interface Summed {
  table: string
  list: string
}

const summed: Summed[] = [
  { table: 'step_results', list: 'step_result_bytes' },
  { table: 'step_checkpoints', list: 'step_checkpoint_bytes' },
]

function sqliteSums({ table, list }: Summed): string[] {
  const add = (account: string, change: string) => `
    insert into list_totals (account_id, list, value, total) values (${account}, '${list}', '', ${change})
      on conflict do update set total = total + excluded.total;`
  return [
    `create trigger ${list}_added after insert on ${table} begin ${add('new.account_id', 'new.size')} end`,
    `create trigger ${list}_removed after delete on ${table} begin ${add('old.account_id', '-old.size')} end`,
  ]
}

/** Statements write and remove hundreds of rows, which are counted together. */
function postgresSums({ table, list }: Summed): string[] {
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
