/** Tests that need a server: its failures, and several processes. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import type { BlobStore } from '../../src/domain/images/image.ts'
import { DependencyUnavailable } from '../../src/errors.ts'
import { exportArchive } from '../../src/storage/archive/export.ts'
import { openDatabase, type Stores } from '../../src/storage/database/open.ts'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'
import { startChild } from './processes/child.ts'
import { assertRefused } from './quotas.ts'
import { characters, execution, font, ids, image, lost, maximum, readAll, tenant } from './records.ts'
import { countedTotals, storedTotals } from './totals.ts'

describe('a PostgreSQL server', () => {
  /** Always a separate server, because the tests stop and kill it. */
  let server: PostgresServer
  before(async () => {
    server = await startPostgres()
  })
  after(() => server.remove())

  test('processes that open one new database at the same time all find the complete schema', async (t) => {
    const url = await server.newDatabase()
    await Promise.all(Array.from({ length: 4 }, () => startChild(t, 'open-database.ts', url).ended()))
    const { stores, close } = await openDatabase({ url })
    t.after(close)
    assert.equal((await stores.accounts.list()).length, 4)
  })

  test('concurrent opens of one new database in one process all find the complete schema', async () => {
    const url = await server.newDatabase()
    const databases = await Promise.all(Array.from({ length: 8 }, () => openDatabase({ url })))
    for (const { stores, close } of databases) {
      await tenant(stores)
      await close()
    }
  })

  test('several processes on one database run every execution once, and lose none', async (t) => {
    const url = await server.newDatabase()
    const { stores, kysely, close } = await openDatabase({ url })
    t.after(close)
    const { account, workflow } = await tenant(stores)
    const children = [1, 2, 3].map(() => startChild(t, 'run-executions.ts', url, account.id, workflow.id, '40'))
    await Promise.all(children.map((child) => child.ended()))
    const created = children.flatMap((child) => done(child.lines, 'created'))
    assert.equal(created.length, 120)
    assert.deepEqual(children.flatMap((child) => done(child.lines, 'claimed')).toSorted(), created.toSorted())
    await assertNoHalves(stores, account.id, created)
    assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
  })

  test('after a SIGKILL of the server every acknowledged write exists, and none is partial', async (t) => {
    const url = await server.newDatabase()
    const first = await openDatabase({ url })
    const { account, workflow } = await tenant(first.stores)
    await first.close()
    const lines: string[] = []
    for (let i = 0; i < 2; i++) {
      const child = startChild(t, 'run-executions.ts', url, account.id, workflow.id, '1000000')
      await child.printed(60)
      await server.kill()
      await child.kill()
      lines.push(...child.lines)
      await server.start()
    }
    const { stores, kysely, close } = await openDatabase({ url })
    t.after(close)
    await stores.executions.recover({ attemptsMax: 3, error: lost, now: 1 })
    const all = await readAll((page) => stores.executions.list(account.id, page, {}), 100)
    const statuses = new Map(all.map(({ id, status }) => [id, status]))
    for (const id of done(lines, 'created')) assert.ok(statuses.has(id), `${id} was created`)
    for (const id of done(lines, 'completed')) assert.equal(statuses.get(id), 'completed')
    await assertNoHalves(stores, account.id)
    assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
  })

  test('a restart of the server fails the running queries, and no later ones', async (t) => {
    const { stores, check, kysely, close } = await openDatabase({ url: await server.newDatabase(), connectionsMax: 4 })
    t.after(close)
    const { account, workflow } = await tenant(stores)
    // Connections of every kind: idle ones, one that waits, and one within a transaction.
    await Promise.all(Array.from({ length: 4 }, () => check()))
    const asleep = assert.rejects(sql`select pg_sleep(20)`.execute(kysely))
    const within = kysely.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx)
      await server.restart()
      await sql`select 1`.execute(trx)
    })
    await assert.rejects(within)
    await asleep
    for (let i = 0; i < 8; i++) await check()
    await stores.executions.create(execution(workflow))
    assert.equal((await stores.executions.list(account.id, { limit: 1, offset: 0 }, {})).items.length, 1)
  })

  test('while the server is unavailable a query fails without waiting', async (t) => {
    const { check, close } = await openDatabase({ url: await server.newDatabase() })
    t.after(close)
    await server.stop()
    await assert.rejects(check())
    await assert.rejects(check())
    await server.start()
    await check()
  })

  test('an unusable server is reported in one sentence without the password', async () => {
    const messageOf = (url: string) =>
      openDatabase({ url }).then(
        () => assert.fail('it was opened'),
        (error: Error) => error.message,
      )
    const url = new URL(server.url)
    assert.match(
      await messageOf(`postgres://me:secret@127.0.0.1:1/records`),
      /^PostgreSQL at 127\.0\.0\.1:1\/records can't be used: .*ECONNREFUSED.*\.$/,
    )
    assert.match(
      await messageOf(`postgres://postgres:secret@${url.host}/missing`),
      /database "missing" does not exist\.$/,
    )
    assert.match(await messageOf(`postgres://nobody:secret@${url.host}/postgres`), /role "nobody" does not exist\.$/)
    for (const address of [
      'postgres://me:secret@127.0.0.1:1/records',
      `postgres://nobody:secret@${url.host}/postgres`,
    ]) {
      assert.doesNotMatch(await messageOf(address), /secret/)
    }
  })

  test('an export keeps no transaction open while it reads blobs', async (t) => {
    const url = await server.newDatabase()
    const database = await openDatabase({ url })
    t.after(database.close)
    const { account } = await tenant(database.stores)
    const bytes = Buffer.from('bytes')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await database.stores.images.create(image({ accountId: account.id, size: bytes.byteLength, sha256 }))
    const client = new pg.Client(url)
    await client.connect()
    t.after(() => client.end())
    const open: unknown[] = []
    const blobs = {
      async read() {
        const { rows } = await client.query(`select query from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`)
        open.push(rows)
        return bytes
      },
    }
    const to = {
      version: '0.0.0',
      onProgress() {},
      clock: database.clock,
      database,
      blobs: blobs as unknown as BlobStore,
    }
    const exported = await exportArchive(to, new PassThrough().resume(), 'none')
    assert.deepEqual([exported.blobs, open], [1, [[]]])
  })

  test('an outdated server is rejected', async () => {
    const url = await server.newDatabase()
    const client = new pg.Client(url)
    await client.connect()
    await client.query('create schema old')
    await client.query(`create function old.current_setting(text) returns text language sql
      as $$ select case $1 when 'server_version_num' then '140011' else '14.11' end $$`)
    await client.end()
    const older = Object.assign(new URL(url), { search: '?options=-c search_path=old,pg_catalog,public' })
    await assert.rejects(openDatabase({ url: older.href }), /has version 14\.11, and Tintype requires 15 or newer\.$/)
  })

  test('a deadlock and a statement that takes too long are reported as temporary', async (t) => {
    const { stores, kysely, close } = await openDatabase({ url: await server.newDatabase() })
    t.after(close)
    const [one, other] = [(await tenant(stores)).account.id, (await tenant(stores)).account.id]
    const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const lock = (first: string, second: string, own: number) =>
      kysely.transaction().execute(async (trx) => {
        await sql`select from accounts where id = ${first} for update`.execute(trx)
        locked[own]?.resolve()
        await Promise.all(locked.map(({ promise }) => promise))
        await sql`select from accounts where id = ${second} for update`.execute(trx)
      })
    const outcomes = await Promise.allSettled([lock(one, other, 0), lock(other, one, 1)])
    const failed = outcomes.filter((each) => each.status === 'rejected')
    assert.equal(failed.length, 1)
    assert.ok(failed[0]?.reason instanceof DependencyUnavailable)
    const slow = kysely.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = 1`.execute(trx)
      await sql`select pg_sleep(60)`.execute(trx)
    })
    await assert.rejects(slow, DependencyUnavailable)
  })

  test('text sorts by its bytes in every language of the database', async (t) => {
    const name = new URL(await server.newDatabase()).pathname.slice(1)
    const client = new pg.Client(server.url)
    await client.connect()
    await client.query(`drop database ${name}`)
    await client.query(
      `create database ${name} template template0 encoding 'UTF8' locale_provider icu icu_locale 'en' locale 'C.UTF-8'`,
    )
    await client.end()
    const { kysely, close } = await openDatabase({ url: Object.assign(new URL(server.url), { pathname: name }).href })
    t.after(close)
    // No query sorts by the keys of rates.
    const { rows } = await sql<{ column: string; collation_name: string | null }>`
      select table_name || '.' || column_name as column, collation_name from information_schema.columns
      where table_schema = 'public' and data_type = 'text' and table_name <> 'rate_limit_windows'`.execute(kysely)
    assert.ok(rows.length > 50)
    for (const { column, collation_name } of rows) assert.equal(collation_name, 'C', column)
  })

  test('a newer release can add a column while this one runs', async (t) => {
    const { stores, kysely, close } = await openDatabase({ url: await server.newDatabase(), connectionsMax: 1 })
    t.after(close)
    const { account } = await tenant(stores)
    const saved = image({ accountId: account.id })
    await stores.images.create(saved)
    for (let i = 0; i < 2; i++) assert.deepEqual(await stores.images.find(account.id, saved.id), saved)
    await sql`alter table images add column palette text`.execute(kysely)
    for (let i = 0; i < 2; i++) assert.deepEqual(await stores.images.find(account.id, saved.id), saved)
  })

  test('an id with characters that PostgreSQL cannot store is not found', async (t) => {
    const { stores, close } = await openDatabase({ url: await server.newDatabase() })
    t.after(close)
    const { account } = await tenant(stores)
    assert.equal(await stores.images.find(account.id, 'img_\0'), undefined)
    assert.equal(await stores.workflows.findByName(account.id, '\0'), undefined)
  })

  test('concurrent fonts in several processes never exceed the limit of an account', async (t) => {
    const url = await server.newDatabase()
    const options = maximum('fonts', 7)
    const databases = await Promise.all([openDatabase({ url }, options), openDatabase({ url }, options)])
    t.after(() => Promise.all(databases.map(({ close }) => close())))
    const [{ stores }] = databases
    const { account } = await tenant(stores)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        (databases[i % 2] ?? databases[0]).stores.fonts.create(font({ accountId: account.id }), characters),
      ),
    )
    assertRefused(outcomes, 13, { quota: 'fonts', limit: 7 })
    assert.equal((await stores.fonts.list(account.id, { limit: 100, offset: 0 })).total, 7)
  })

  test('work with one name never runs twice at the same time, even if it needs more connections than there are', async (t) => {
    const url = await server.newDatabase()
    const databases = await Promise.all([1, 2].map(() => openDatabase({ url, connectionsMax: 2 })))
    t.after(() => Promise.all(databases.map(({ close }) => close())))
    let inside = 0
    let most = 0
    const work = async (check: () => Promise<void>): Promise<void> => {
      inside++
      most = Math.max(most, inside)
      await Promise.all([check(), check(), check()])
      inside--
    }
    const all = databases.flatMap(({ exclusively, check }) =>
      Array.from({ length: 4 }, () => exclusively('work', () => work(check))),
    )
    await Promise.all(all)
    assert.equal(most, 1)
    const [database] = databases
    await assert.rejects(
      database?.exclusively('work', () => Promise.reject(new Error('it broke'))) ?? Promise.resolve(),
      /it broke/,
    )
    assert.equal(await database?.exclusively('work', async () => 'free again'), 'free again')
  })
})

function done(lines: string[], action: string): string[] {
  return lines.flatMap((line) => (line.startsWith(`${action} `) ? [line.slice(action.length + 1)] : []))
}

/** A completed execution has its one image, others have none; all of `created` have completed. */
async function assertNoHalves({ executions, images }: Stores, accountId: string, created?: string[]): Promise<void> {
  const all = await readAll((page) => executions.list(accountId, page, {}), 100)
  const outputs = await readAll((page) => images.list(accountId, page, {}), 100)
  const record = new Map(outputs.map(({ id, executionId }) => [executionId, id]))
  assert.equal(record.size, outputs.length)
  for (const { id, output } of all) assert.equal(record.get(id), output?.imageId)
  const completed = all.filter(({ status }) => status === 'completed')
  assert.equal(completed.length, outputs.length)
  if (created) assert.deepEqual(ids(completed).toSorted(), created.toSorted())
}
