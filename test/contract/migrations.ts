import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnsHash } from '../../src/storage/database/columns-hash.ts'
import { isPostgres } from '../../src/storage/database/dialect.ts'
import { migrationHashes } from '../../src/storage/database/migrations/hashes.ts'
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

    test('each migration makes the columns that it made when it got its name', async (t) => {
      const { db, migrate } = await openEmpty(t)
      const engine = isPostgres(db) ? 'postgres' : 'sqlite'
      for (const name of Object.keys(migrations)) {
        await migrate(Object.fromEntries(Object.entries(migrations).filter(([each]) => each <= name)))
        const columns = await columnsHash(db)
        assert.equal(
          migrationHashes[name]?.[engine].columns,
          columns,
          `${name}: see src/storage/database/migrate.test.ts`,
        )
      }
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

    test('deliveries of webhooks keep the body that they shared, and files of delivery URLs are counted', async (t) => {
      const { db, migrate } = await openEmpty(t)
      const { '2026-12-09-init': init } = migrations
      await migrate({ '2026-12-09-init': init ?? assert.fail() })
      const run = async (...statements: string[]) => {
        for (const statement of statements) await sql.raw(statement).execute(db)
      }
      const delivery = (id: string, body: string, bodyId: string) => `insert into webhook_deliveries
        (id, account_id, endpoint_id, url, event_id, event_type, body, body_id, status, attempts, log, created_at)
        values ('${id}', 'acct_1', 'whe_1', 'u', 'evt_1', 'batch.completed', '${body}', ${bodyId}, 'pending', 0, '[]', 1)`
      const file = (key: string, owner: string, size: number) => `insert into derived_files
        (key, owner_id, account_id, size, max_age, reads_urls, is_paid, created_at, used_at)
        values ('${key}', '${owner}', 'acct_1', ${size}, 0, 0, 0, 1, 1)`
      const workflow = (id: string, deletedAt: string) => `insert into workflows
        (id, account_id, project_id, name, description, version, created_at, updated_at, deleted_at)
        values ('${id}', 'acct_1', 'proj_1', 'W', '', 1, 1, 1, ${deletedAt})`
      await run(
        `insert into accounts (id, name, plan, created_at) values ('acct_1', 'A', 'pro', 1)`,
        `insert into projects (id, account_id, name, description, is_default, created_at, updated_at)
          values ('proj_1', 'acct_1', 'P', '', 1, 1, 1)`,
        `insert into webhook_bodies values ('b1', 'acct_1', 7, 2, '{"a":1}')`,
        `insert into webhook_stored_bodies values ('acct_1', 7)`,
        delivery('d1', '', `'b1'`),
        delivery('d2', '', `'b1'`),
        delivery('d3', '{"old":1}', 'null'),
        workflow('wf_1', '5'),
        workflow('wf_2', 'null'),
        file('f1', 'wf_1', 100),
        file('f2', 'wf_2', 10),
      )
      await migrate(migrations)
      const { rows } = await sql<{ body: string }>`select body from webhook_deliveries order by id`.execute(db)
      assert.deepEqual(
        rows.map(({ body }) => body),
        ['{"a":1}', '{"a":1}', '{"old":1}'],
      )
      if (isPostgres(db)) {
        // A process of the release before, which runs next to this one.
        await run(`insert into webhook_bodies values ('b2', 'acct_1', 7, 1, '{"b":2}')`, delivery('d4', '', `'b2'`))
        const late = await sql<{ body: string; body_id: string | null }>`
          select body, body_id from webhook_deliveries where id = 'd4'`.execute(db)
        assert.deepEqual(late.rows, [{ body: '{"b":2}', body_id: null }])
      }
      const bytes = async () => {
        const totals = db.selectFrom('list_totals').select('total').where('list', '=', 'derived_file_bytes')
        return (await totals.execute()).reduce((sum, { total }) => sum + Number(total), 0)
      }
      assert.equal(await bytes(), 1_110)
      await run(
        file('f3', 'wf_2', 1),
        `update derived_files set size = 20 where key = 'f2'`,
        `delete from derived_files where key = 'f1'`,
      )
      assert.equal(await bytes(), 1_021)
      const leftovers = await db.selectFrom('channel_leftovers').select('workflow_id').execute()
      assert.deepEqual(
        leftovers.map(({ workflow_id }) => workflow_id),
        ['wf_1'],
      )
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

    test('a database whose migration was another one when it ran is rejected, and not changed', async (t) => {
      const { db, migrate } = await openEmpty(t)
      await migrate(migrations)
      await sql`drop table workflow_users`.execute(db)
      const before = await schemaOf(db)
      const name = Object.keys(migrations).at(-1) ?? assert.fail()
      const refusal = { name: 'OtherVersion', unknown: { name, isEarlier: false, isChanged: true } }
      await assert.rejects(migrate(migrations), refusal)
      await assert.rejects(migrate({ ...migrations, '2999-01-01-next': makes('next') }), refusal)
      assert.deepEqual(await schemaOf(db), before)
    })

    test('a database with a table and an index of the operator is accepted', async (t) => {
      const { db, migrate } = await openEmpty(t)
      await migrate(migrations)
      await sql`create table notes_of_the_operator (id integer)`.execute(db)
      await sql`create index index_of_the_operator on images (name)`.execute(db)
      await migrate({ ...migrations, '2999-01-01-next': makes('next') })
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
