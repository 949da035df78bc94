/** Migrations of PostgreSQL while processes of the previous release use the same tables. */
import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { type LockingMigration, migrate } from '../../src/storage/database/migrate.ts'
import { migrations } from '../../src/storage/database/migrations/index.ts'
import { openPostgres } from '../../src/storage/database/postgres.ts'
import { newDatabaseOn, startPostgres } from '../harness/postgres.ts'
import { until } from '../harness/wait.ts'

const serverUrl = process.env.TINTYPE_TEST_POSTGRES
const server = serverUrl ? undefined : await startPostgres({ durable: false })
after(() => server?.remove())

async function openEmpty(t: TestContext) {
  const url = await newDatabaseOn(serverUrl ?? server?.url ?? '')
  const { db, migrating } = await openPostgres(url, { connectionsMax: 2 })
  t.after(() => db.destroy())
  const run = (list: Record<string, LockingMigration>, secondsMax?: number) =>
    migrating((migrator) => migrate(migrator, list, secondsMax))
  return { url, db, run }
}

const first: LockingMigration = {
  async up(db) {
    await sql`create table accounts (id integer primary key)`.execute(db)
    await sql`create table images (id serial primary key, account_id integer references accounts)`.execute(db)
    await sql`insert into accounts values (1)`.execute(db)
  },
}

/** Locks the tables one after the other, and in another order than requests do. */
const second: LockingMigration = {
  tables: ['images', 'accounts'],
  async up(db) {
    await sql`alter table accounts add column plan integer not null default 1`.execute(db)
    await sql`alter table images add column size integer not null default 1`.execute(db)
  },
}

test('a migration next to transactions that lock its tables in another order ends none of them', async (t) => {
  const { url, db, run } = await openEmpty(t)
  await run({ '2026-01-01-first': first })
  let isOpen = true
  let done = 0
  const loops = Array.from({ length: 6 }, async () => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      while (isOpen) {
        await client.query('begin')
        await client.query('insert into images (account_id) values (1)')
        await client.query('select id from accounts for key share')
        await client.query('commit')
        done += 1
      }
    } finally {
      await client.end()
    }
  })
  const all = Promise.all(loops)
  await until('transactions', () => done > 50 || undefined)
  await run({ '2026-01-01-first': first, '2026-01-02-second': second })
  const migrated = done
  await Promise.race([all, until('more transactions', () => done > migrated + 50 || undefined)])
  isOpen = false
  await all
  const { rows } = await sql<{ n: string }>`select count(*) as n from images where size = 1`.execute(db)
  assert.equal(Number(rows[0]?.n), done)
})

test('a migration that gets no lock lets requests continue, and fails with the reason after its time', async (t) => {
  const { url, run } = await openEmpty(t)
  await run({ '2026-01-01-first': first })
  const holder = new pg.Client(url)
  const request = new pg.Client(url)
  await Promise.all([holder.connect(), request.connect()])
  t.after(() => Promise.all([holder.end(), request.end()]))
  // As an export does it.
  await holder.query('begin isolation level repeatable read, read only')
  await holder.query('select id from accounts')
  const failed = assert.rejects(
    run({ '2026-01-01-first': first, '2026-01-02-second': second }, 0.001),
    /could not lock images, accounts for 0.001 s/,
  )
  await request.query('insert into images (account_id) values (1)')
  await failed
  const migrated = run({ '2026-01-01-first': first, '2026-01-02-second': second })
  await request.query('insert into images (account_id) values (1)')
  await holder.query('commit')
  await migrated
  const { rows } = await request.query('select count(size)::integer as n from images')
  assert.equal(rows[0].n, 2)
})

test('every migration names all tables that it locks', async (t) => {
  const { db, run } = await openEmpty(t)
  const names = Object.keys(migrations)
  for (const [i, name] of names.entries()) {
    const { tables = [], up } = migrations[name] as LockingMigration
    const before = new Set((await db.introspection.getTables()).map((table) => table.name))
    let locked: string[] = []
    const looking: LockingMigration = {
      async up(migrator) {
        await up(migrator)
        const { rows } = await sql<{ name: string }>`
          select distinct relname as name from pg_locks join pg_class on pg_class.oid = relation
          where pid = pg_backend_pid() and relkind = 'r' and relnamespace = 'public'::regnamespace
            and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`.execute(
          migrator,
        )
        locked = rows.map((row) => row.name).filter((table) => before.has(table))
      },
    }
    const done = Object.fromEntries(names.slice(0, i).map((each) => [each, migrations[each] as LockingMigration]))
    await run({ ...done, [name]: looking })
    const internal = ['kysely_migration', 'kysely_migration_lock']
    const unnamed = locked.filter((table) => !internal.includes(table) && !tables.includes(table))
    assert.deepEqual(unnamed, [], name)
  }
})
