import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { remains, until } from '../../../test/harness/wait.ts'
import { asFault } from '../../errors.ts'
import { openDatabase } from './open.ts'
import { inTransaction } from './sql/in-transaction.ts'
import { isBusy, openSqlite } from './sqlite.ts'

interface Numbers {
  numbers: { n: number }
}

function newFile(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'tintype-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return join(dir, 'data', 'tintype.db')
}

async function openNumbers(t: TestContext): Promise<{ db: Kysely<Numbers>; file: string }> {
  const file = newFile(t)
  const db = (await openSqlite(file)) as unknown as Kysely<Numbers>
  await sql`create table numbers (n integer)`.execute(db)
  await sql`insert into numbers values (1), (2), (3)`.execute(db)
  return { db, file }
}

test('a connection has the settings for durable commits and references', async (t) => {
  for (const syncsInCommit of [true, false]) {
    const db = await openSqlite(newFile(t), { syncsInCommit })
    const expected = { journal_mode: 'wal', synchronous: syncsInCommit ? 2 : 1, foreign_keys: 1, busy_timeout: 0 }
    for (const [name, value] of Object.entries(expected)) {
      const { rows } = await sql.raw<object>(`pragma ${name}`).execute(db)
      assert.deepEqual(Object.values(rows[0] ?? {}), [value], name)
    }
    await db.destroy()
  }
})

/** A database whose syncs end when the test ends them. */
async function openHeld(t: TestContext) {
  const syncs: { fd: number; end: (error: Error | null) => void }[] = []
  const file = newFile(t)
  const db = (await openSqlite(file, { sync: (fd, end) => syncs.push({ fd, end }) })) as unknown as Kysely<Numbers>
  const created = sql`create table numbers (n integer)`.execute(db)
  const endSync = async (error: Error | null = null) => {
    const { end } = await until('a sync', () => syncs.shift())
    end(error)
  }
  await endSync()
  await created
  return { db, file, syncs, endSync }
}

function outcomeOf(promise: Promise<unknown>) {
  const outcome: { state: 'open' | 'done' | 'failed' } = { state: 'open' }
  promise.then(
    () => (outcome.state = 'done'),
    () => (outcome.state = 'failed'),
  )
  return outcome
}

test('the result of a write, and of a read that sees it, comes after its sync of the log', async (t) => {
  const { db, file, syncs, endSync } = await openHeld(t)
  const results = [
    sql`insert into numbers values (1)`.execute(db),
    db.transaction().execute((trx) => trx.insertInto('numbers').values({ n: 2 }).execute()),
    db.selectFrom('numbers').selectAll().execute(),
  ]
  const outcomes = results.map(outcomeOf)
  const other = new DatabaseSync(file, { readOnly: true })
  await until('the commits', () => other.prepare('select * from numbers').all()[1])
  other.close()
  assert.equal(readlinkSync(`/proc/self/fd/${syncs[0]?.fd}`), realpathSync(`${file}-wal`))
  await remains('no result', () => outcomes.every(({ state }) => state === 'open'), 3)
  await endSync()
  await results[0]
  assert.deepEqual(
    outcomes.slice(1).map(({ state }) => state),
    ['open', 'open'],
  )
  await endSync()
  await Promise.all(results)
  assert.equal(syncs.length, 0)
  await db.destroy()
})

test('commits during a sync share the next one, and reads and empty transactions need none', async (t) => {
  const { db, syncs, endSync } = await openHeld(t)
  const written = Array.from({ length: 10 }, (_, n) => db.insertInto('numbers').values({ n }).execute())
  await endSync()
  await endSync()
  await Promise.all(written)
  await db.transaction().execute((trx) => trx.selectFrom('numbers').selectAll().execute())
  assert.equal(syncs.length, 0)
  await db.destroy()
})

test('after a sync has failed, every statement is rejected as unavailable', async (t) => {
  const { db, endSync } = await openHeld(t)
  const written = sql`insert into numbers values (1)`.execute(db)
  await endSync(new Error('EIO'))
  for (const query of [written, db.selectFrom('numbers').selectAll().execute()]) {
    await assert.rejects(query, (error) => asFault(error).code === 'unavailable')
  }
  await db.destroy()
})

test('waits for a database that another process is creating', async (t) => {
  const file = newFile(t)
  mkdirSync(dirname(file))
  const other = new DatabaseSync(file)
  other.exec('begin immediate')
  let isOpen = false
  const opening = openDatabase({ file }).then((database) => {
    isOpen = true
    return database
  })
  await remains('the database is waited for', () => !isOpen, 3)
  other.close()
  const { close } = await opening
  await close()
})

test('a statement waits for the lock of another process, and the event loop continues', async (t) => {
  const { db, file } = await openNumbers(t)
  const other = new DatabaseSync(file, { timeout: 0 })
  other.exec('begin immediate')
  let isWritten = false
  const written = Promise.all([
    sql`insert into numbers values (4)`.execute(db),
    db.transaction().execute((trx) => trx.insertInto('numbers').values({ n: 5 }).execute()),
  ]).then(() => {
    isWritten = true
  })
  await remains('the lock is waited for', () => !isWritten, 3)
  other.exec('commit')
  other.close()
  await written
  assert.equal((await db.selectFrom('numbers').selectAll().execute()).length, 5)
  await db.destroy()
})

test('a loop of statements lets other work have its turn', { timeout: 60_000 }, async (t) => {
  const { db } = await openNumbers(t)
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  // Without turns, this would not end.
  while (turns < 3) await sql`select 1`.execute(db)
  clearImmediate(next)
})

test('a lock that is held too long is a lost dependency, and clients can retry', async (t) => {
  const { db, file } = await openNumbers(t)
  const other = new DatabaseSync(file, { timeout: 0 })
  other.exec('begin immediate')
  const impatient = await openSqlite(file, { waitMsMax: 10 })
  const written = sql`insert into numbers values (4)`.execute(impatient)
  await assert.rejects(written, (error) => asFault(error).code === 'unavailable')
  other.close()
  await sql`insert into numbers values (4)`.execute(impatient)
  await impatient.destroy()
  await db.destroy()
})

test('the reads of a transaction do not change until its end, for other processes too', async (t) => {
  const { db, file } = await openNumbers(t)
  const other = new DatabaseSync(file, { timeout: 0 })
  const sum = await db.transaction().execute(async (trx) => {
    const rows = await trx.selectFrom('numbers').select('n').execute()
    assert.throws(() => other.exec('insert into numbers values (4)'), isBusy)
    await trx.insertInto('numbers').values({ n: 10 }).execute()
    return rows.length
  })
  assert.equal(sum, 3)
  other.exec('insert into numbers values (4)')
  other.close()
  await db.destroy()
})

test('a cached statement sees a column that was added later', async (t) => {
  const { db, file } = await openNumbers(t)
  const read = async () =>
    (await sql<object>`select * from numbers where n = 1`.execute(db)).rows.map((row) => ({ ...row }))
  assert.deepEqual(await read(), [{ n: 1 }])
  const other = new DatabaseSync(file)
  other.exec("alter table numbers add column name text default 'one'")
  other.close()
  assert.deepEqual(await read(), [{ n: 1, name: 'one' }])
  await db.destroy()
})

test('more different statements than the cache keeps all return their own results', async (t) => {
  const { db } = await openNumbers(t)
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 600; i++) {
      const { rows } = await sql.raw<{ n: number }>(`select n + ${i} as n from numbers where n = 1`).execute(db)
      assert.equal(rows[0]?.n, i + 1)
    }
  }
  await db.destroy()
})

test('a transaction that SQLite ends, for example on a full disk, reports the reason, and the next one succeeds', async (t) => {
  const { db } = await openNumbers(t)
  await sql`create unique index numbers_once on numbers (n)`.execute(db)
  const ended = db.transaction().execute(async (trx) => {
    await trx.insertInto('numbers').values({ n: 4 }).execute()
    await sql`insert or rollback into numbers values (1)`.execute(trx)
  })
  await assert.rejects(ended, /UNIQUE constraint failed/)
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('numbers').values({ n: 5 }).execute()
  })
  const rows = await db.selectFrom('numbers').select('n').orderBy('n').execute()
  assert.deepEqual(
    rows.map(({ n }) => n),
    [1, 2, 3, 5],
  )
  await db.destroy()
})

test('a group of transactions that changes many pages makes no temporary file', async (t) => {
  if (process.platform !== 'linux') return t.skip('open files are listed on Linux only')
  const { kysely, close } = await openDatabase({ file: newFile(t) })
  t.after(close)
  const temporaryFiles: string[] = []
  await sql`create table pages (n integer primary key, text text)`.execute(kysely)
  const fill = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 200) insert into pages select n, printf('%.2000c', 'x') from numbers`
  await fill.execute(kysely)
  const change = () =>
    inTransaction(kysely, async (trx) => {
      await sql`update pages set text = 'y'`.execute(trx)
      const open = readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`))
      temporaryFiles.push(...open.filter((path) => path.includes('etilqs_')))
      await sql`update pages set text = printf('%.2000c', 'x')`.execute(trx)
    })
  await Promise.all([change(), change(), change()])
  assert.deepEqual(temporaryFiles, [])
})

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // It was closed since the folder was read.
    return ''
  }
}
