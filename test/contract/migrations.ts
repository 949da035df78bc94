import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { migrations } from '../../src/storage/database/migrations/index.ts'
import type { Schema } from '../../src/storage/database/schema.ts'

/** An empty database, which is removed after the test. */
export interface Empty {
  db: Kysely<Schema>
  migrate(list: Record<string, Migration>): Promise<void>
}

export function migrationsContract(name: string, openEmpty: (t: TestContext) => Promise<Empty>): void {
  describe(`migrations on ${name}`, () => {
    test('migrating again changes nothing', async (t) => {
      const { db, migrate } = await openEmpty(t)
      await migrate(migrations)
      const schema = await schemaOf(db)
      assert.ok(schema.length > 60)
      await migrate(migrations)
      assert.deepEqual(await schemaOf(db), schema)
    })

    test('a database of an older release gets the missing changes, and keeps its rows', async (t) => {
      const { db, migrate } = await openEmpty(t)
      await migrate({ '2026-01-01-one': makes('one') })
      await sql`insert into one values ('kept')`.execute(db)
      await migrate({ '2026-01-01-one': makes('one'), '2026-01-02-two': makes('two') })
      const { rows } = await sql<{ id: string }>`select id from one`.execute(db)
      assert.deepEqual(
        rows.map(({ id }) => id),
        ['kept'],
      )
      assert.deepEqual((await sql`select id from two`.execute(db)).rows, [])
    })

    test('a failed migration leaves no changes of itself nor of those before it, and can be retried', async (t) => {
      const { db, migrate } = await openEmpty(t)
      await migrate({ '2026-01-01-one': makes('one') })
      const before = await schemaOf(db)
      const list = { '2026-01-01-one': makes('one'), '2026-01-02-two': makes('two'), '2026-01-03-three': fails }
      await assert.rejects(migrate(list), /the migration broke/)
      assert.deepEqual(await schemaOf(db), before)
      await migrate({ ...list, '2026-01-03-three': makes('half_made') })
      assert.ok((await schemaOf(db)).some((column) => column.startsWith('half_made')))
    })

    test('a database of a newer version, and one from before the first migration, are rejected by name and not changed', async (t) => {
      const { db, migrate } = await openEmpty(t)
      await migrate({ '2026-01-01-one': makes('one'), '2026-01-02-two': makes('two') })
      const before = await schemaOf(db)
      const refused = (name: string, isEarlier: boolean) => ({ name: 'OtherVersion', unknown: { name, isEarlier } })
      await assert.rejects(migrate({ '2026-01-01-one': makes('one') }), refused('2026-01-02-two', false))
      await assert.rejects(migrate({ '2026-01-03-first': makes('first') }), refused('2026-01-01-one', true))
      assert.deepEqual(await schemaOf(db), before)
    })
  })
}

/** Every column, by its table. */
async function schemaOf(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return tables.flatMap(({ name, columns }) => columns.map((each) => `${name}.${each.name} ${each.dataType}`)).sort()
}

function makes(table: string): Migration {
  return { up: (db) => db.schema.createTable(table).addColumn('id', 'text').execute() }
}

const fails: Migration = {
  async up(db) {
    await db.schema.createTable('half_made').addColumn('id', 'text').execute()
    throw new Error('the migration broke')
  },
}
