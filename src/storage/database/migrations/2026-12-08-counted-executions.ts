import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { execute, isPostgres, textByBytes } from '../dialect.ts'
import { bytesTriggers, type Counted, countedBytes, longText } from './2026-12-05-stored-bytes.ts'

/**
 * Executions count with their steps, results and brand values in the stored bytes of their account, and executions with the same long brand
 * values share them. The previews of an account have a total of bytes.
 */
export const countedExecutions: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textByBytes(db)
    await execute(db, [
      `create table execution_brands (
        account_id ${text} not null references accounts (id),
        hash ${text} not null,
        brand ${text} not null,
        primary key (account_id, hash))`,
      'alter table previews add column size bigint',
      'create index previews_of_account_least_used on previews (account_id, used_at, id)',
      ...withoutTriggers(db),
      addToTotals(db, 'stored_bytes', `${countedBytes(executions, '')} - (${countedBytes(before, '')})`, 'executions'),
      addToTotals(db, 'preview_bytes', previews.bytes(''), 'previews'),
      ...[executions, brands, previews].flatMap((each) => bytesTriggers(db, each)),
    ])
  },
}

/** The triggers of this table, as they were until now. */
const before = longText('executions', ['parameters', 'document'])

const executions = longText('executions', ['parameters', 'document', 'brand', 'steps', 'output', 'outputs', 'error'], {
  changing: 'steps, output, outputs, error',
})

const brands: Counted = {
  table: 'execution_brands',
  bytes: (row) => `octet_length(${row}brand)`,
  isCounted: () => '1 = 1',
}

/** With a block of the disk. Former rows don't have the size of their file: they count as two bits for each pixel, more than most have. */
const previews: Counted = {
  table: 'previews',
  list: 'preview_bytes',
  bytes: (row) => `coalesce(${row}size, ${row}width * ${row}height / 4) + 4096`,
  isCounted: () => '1 = 1',
  inParts: true,
}

function withoutTriggers(db: Kysely<unknown>): string[] {
  return ['executions_bytes_added', 'executions_bytes_removed'].flatMap((name) =>
    isPostgres(db) ? [`drop trigger ${name} on executions`, `drop function ${name}()`] : [`drop trigger ${name}`],
  )
}

/** On SQLite, a list of an account has one row. */
function addToTotals(db: Kysely<unknown>, list: string, bytes: string, table: string): string {
  const id = isPostgres(db) ? 'gen_random_uuid()::text, ' : ''
  const conflict = isPostgres(db) ? '' : 'on conflict do update set total = total + excluded.total'
  return `insert into list_totals select ${id}account_id, '${list}', '', sum(bytes)
    from (select account_id, ${bytes} as bytes from ${table}) as counted
    where bytes <> 0 group by account_id ${conflict}`
}
