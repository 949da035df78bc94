/** test/contract/migrations.ts tests the effects of migrations on every engine. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  DummyDriver,
  Kysely,
  type LogEvent,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { Migration } from 'kysely/migration'
import { migrationHashes } from './migrations/hashes.ts'
import { migrations } from './migrations/index.ts'

test('the names of the migrations are dates, in the order of the list', () => {
  const names = Object.keys(migrations)
  assert.ok(names.length > 0)
  assert.deepEqual(names, names.toSorted())
  for (const name of names) assert.match(name, /^\d{4}-\d\d-\d\d-[a-z0-9-]+$/)
})

const engines = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
}

/** Hash of the statements that a migration runs on an engine, on which no query finds a row. */
async function statementsHash(engine: keyof typeof engines, migration: Migration): Promise<string> {
  const hash = createHash('sha256')
  const dialect = { ...engines[engine], createDriver: () => new DummyDriver() }
  const log = ({ query }: LogEvent) => void hash.update(`${query.sql}\n${JSON.stringify(query.parameters)}\n`)
  const db = new Kysely<unknown>({ dialect, log })
  await migration.up(db)
  return hash.digest('hex').slice(0, 16)
}

for (const engine of ['sqlite', 'postgres'] as const)
  test(`a migration that has its name never changes its statements on ${engine}`, async () => {
    for (const [name, migration] of Object.entries(migrations)) {
      const statements = await statementsHash(engine, migration)
      const hint = 'Put the change into another migration. If this one is not in migrations/hashes.ts yet, add it.'
      assert.equal(migrationHashes[name]?.[engine].statements, statements, `${name}: ${hint}`)
    }
  })

test('a changed migration changes its hash', async () => {
  const of = (statement: string) => ({ up: async (db: Kysely<unknown>) => void (await sql.raw(statement).execute(db)) })
  const before = await statementsHash('postgres', of('create table one (id text)'))
  assert.equal(await statementsHash('postgres', of('create table one (id text)')), before)
  assert.notEqual(await statementsHash('postgres', of('create table one (id text, name text)')), before)
})
