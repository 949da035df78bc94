import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { Kysely } from 'kysely'
import { newSqlite } from '../../../../test/harness/sqlite.ts'
import type { Schema } from '../schema.ts'
import { inTransaction } from './in-transaction.ts'

async function open(t: TestContext) {
  const database = await newSqlite(t)
  const other = new DatabaseSync(database.file, { readOnly: true })
  t.after(() => other.close())
  const written = other.prepare('select id from accounts order by id')
  /** The accounts that another connection sees. */
  const committed = () => written.all().map(({ id }) => id)
  return { db: database.kysely, committed }
}

async function insert(trx: Kysely<Schema>, id: string): Promise<string> {
  await trx
    .insertInto('accounts')
    .values({ id, name: id, plan: 'free', created_at: 1, url_secret: '', has_private_images: 0 })
    .execute()
  return id
}

test('transactions of one turn share a commit', async (t) => {
  const { db, committed } = await open(t)
  const committedBefore: unknown[] = []
  const results = ['a', 'b', 'c'].map((id) =>
    inTransaction(db, async (trx) => {
      await insert(trx, id)
      committedBefore.push(committed())
      return id
    }),
  )
  assert.deepEqual(await Promise.all(results), ['a', 'b', 'c'])
  assert.deepEqual(committedBefore, [[], [], []])
  assert.deepEqual(committed(), ['a', 'b', 'c'])
})

test('a transaction that fails writes nothing, and the others of its commit are written', async (t) => {
  const { db, committed } = await open(t)
  const refused = new Error('refused')
  const outcomes = await Promise.allSettled([
    inTransaction(db, (trx) => insert(trx, 'a')),
    inTransaction(db, async (trx) => {
      await insert(trx, 'b')
      throw refused
    }),
    inTransaction(db, (trx) => insert(trx, 'a')),
    inTransaction(db, (trx) => insert(trx, 'c')),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  )
  assert.equal((outcomes[1] as PromiseRejectedResult).reason, refused)
  assert.match(String((outcomes[2] as PromiseRejectedResult).reason), /UNIQUE constraint failed: accounts.id/)
  assert.deepEqual(committed(), ['a', 'c'])
})

test('if their commit is lost, all transactions of it fail and none is written', async (t) => {
  const { db, committed } = await open(t)
  const outcomes = await Promise.allSettled([
    inTransaction(db, (trx) => insert(trx, 'a')),
    inTransaction(db, async (trx) => {
      await insert(trx, 'b')
      // As SQLite does it when the disk is full.
      await trx.executeQuery({ ...trx.selectFrom('accounts').compile(), sql: 'rollback', parameters: [] })
      throw new Error('disk full')
    }),
    inTransaction(db, (trx) => insert(trx, 'c')),
  ])
  assert.deepEqual(
    outcomes.map((each) => String((each as PromiseRejectedResult).reason)),
    Array.from({ length: 3 }, () => 'Error: disk full'),
  )
  assert.deepEqual(committed(), [])
})

test('many transactions at the same time are all written', async (t) => {
  const { db, committed } = await open(t)
  const ids = Array.from({ length: 100 }, (_, i) => String(1000 + i))
  await Promise.all(ids.map((id) => inTransaction(db, (trx) => insert(trx, id))))
  assert.deepEqual(committed(), ids)
})

test('work in a transaction joins it', async (t) => {
  const { db, committed } = await open(t)
  const fails = db.transaction().execute(async (trx) => {
    await inTransaction(trx, (within) => insert(within, 'a'))
    throw new Error('refused')
  })
  await assert.rejects(fails, /refused/)
  assert.deepEqual(committed(), [])
})
