import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import type { Schema } from './schema.ts'
import { openSqlite } from './sqlite.ts'

async function open(t: TestContext): Promise<Kysely<Schema>> {
  const dir = mkdtempSync(join(tmpdir(), 'tintype-'))
  const db = await openSqlite(join(dir, 'tintype.db'))
  t.after(async () => {
    await db.destroy()
    rmSync(dir, { recursive: true })
  })
  return db
}

async function schemaOf(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{
    text: string
  }>`select coalesce(sql, name) as text from sqlite_master order by name`.execute(db)
  return rows.map(({ text }) => text)
}

const makes = (table: string): Migration => ({
  up: (db) => db.schema.createTable(table).addColumn('id', 'text').execute(),
})

const fails: Migration = {
  async up(db) {
    await db.schema.createTable('half_made').addColumn('id', 'text').execute()
    throw new Error('the migration broke')
  },
}

test('migrating again changes nothing', async (t) => {
  const db = await open(t)
  await migrate(db, migrations)
  const schema = await schemaOf(db)
  assert.ok(schema.length > 20)
  await migrate(db, migrations)
  assert.deepEqual(await schemaOf(db), schema)
})

test('a database of an older release gets what is missing, and keeps its rows', async (t) => {
  const db = await open(t)
  await migrate(db, { '2026-01-01-one': makes('one') })
  await sql`insert into one values ('kept')`.execute(db)
  await migrate(db, { '2026-01-01-one': makes('one'), '2026-01-02-two': makes('two') })
  assert.deepEqual(
    (await sql<{ id: string }>`select id from one`.execute(db)).rows.map(({ id }) => id),
    ['kept'],
  )
  assert.deepEqual((await sql`select id from two`.execute(db)).rows, [])
})

test('a migration that fails leaves nothing of itself nor of those before it, and can be tried again', async (t) => {
  const db = await open(t)
  await migrate(db, { '2026-01-01-one': makes('one') })
  const before = await schemaOf(db)
  const list = { '2026-01-01-one': makes('one'), '2026-01-02-two': makes('two'), '2026-01-03-three': fails }
  await assert.rejects(migrate(db, list), /the migration broke/)
  assert.deepEqual(await schemaOf(db), before)
  await migrate(db, { ...list, '2026-01-03-three': makes('half_made') })
  assert.ok((await schemaOf(db)).some((text) => text.includes('half_made')))
})

test('a database of a newer release is refused by name and not touched', async (t) => {
  const db = await open(t)
  await migrate(db, { '2026-01-01-one': makes('one'), '2026-01-02-two': makes('two') })
  const before = await schemaOf(db)
  await assert.rejects(migrate(db, { '2026-01-01-one': makes('one') }), /newer release.*2026-01-02-two/)
  assert.deepEqual(await schemaOf(db), before)
})

test('the names of the migrations are dates, in the order of the list', () => {
  const names = Object.keys(migrations)
  assert.ok(names.length > 0)
  assert.deepEqual(names, names.toSorted())
  for (const name of names) assert.match(name, /^\d{4}-\d\d-\d\d-[a-z0-9-]+$/)
})
