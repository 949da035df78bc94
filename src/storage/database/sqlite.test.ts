import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { remains } from '../../../test/harness/wait.ts'
import { asFault } from '../../errors.ts'
import { openDatabase } from './open.ts'
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

test('every commit is synced to the log, and rows never refer to missing rows', async (t) => {
  const db = await openSqlite(newFile(t))
  const expected = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1, busy_timeout: 0 }
  for (const [name, value] of Object.entries(expected)) {
    const { rows } = await sql.raw<object>(`pragma ${name}`).execute(db)
    assert.deepEqual(Object.values(rows[0] ?? {}), [value], name)
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

test('a lock that is held too long is a lost dependency, and clients can retry', async (t) => {
  const { db, file } = await openNumbers(t)
  const other = new DatabaseSync(file, { timeout: 0 })
  other.exec('begin immediate')
  const impatient = await openSqlite(file, 10)
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
