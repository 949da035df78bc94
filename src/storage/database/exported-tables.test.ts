import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { exportedTables, omittedTables } from './exported-tables.ts'
import { type Database, openDatabase } from './open.ts'

const dir = mkdtempSync(join(tmpdir(), 'tintype-'))
let database: Database
before(async () => {
  database = await openDatabase({ file: join(dir, 'tintype.db') })
})
after(async () => {
  await database.close()
  rmSync(dir, { recursive: true })
})

test('every table is part of an export, or is listed with the reason why not', async () => {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`.execute(database.kysely)
  assert.ok(rows.length > 10, `found ${rows.length}`)
  assert.deepEqual(
    rows.map(({ name }) => name).sort(),
    [...exportedTables.map(({ table }) => String(table)), ...Object.keys(omittedTables)].sort(),
  )
})

test('rows are ordered by the primary key of their table, so that none is skipped', async () => {
  for (const { table, key } of exportedTables) {
    const { rows } = await sql<{ name: string }>`
      select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(database.kysely)
    assert.deepEqual(
      rows.map(({ name }) => name),
      key,
      table,
    )
  }
})

test('each table comes after the tables that it refers to', async () => {
  let references = 0
  for (const [i, { table }] of exportedTables.entries()) {
    const { rows } = await sql<{ name: string }>`
      select "table" as name from pragma_foreign_key_list(${table})`.execute(database.kysely)
    references += rows.length
    const before = exportedTables.slice(0, i).map((each) => String(each.table))
    assert.deepEqual(
      rows.map(({ name }) => name).filter((name) => !before.includes(name)),
      [],
      table,
    )
  }
  assert.ok(references > 5, `found ${references}`)
})
