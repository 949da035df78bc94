import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { migrations } from '../../src/storage/database/migrations/index.ts'
import type { Schema } from '../../src/storage/database/schema.ts'
import { endsAt } from '../../src/storage/database/sql/ended-keys.ts'
import { countedTotals, storedTotals } from './totals.ts'

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

    test('waiting deliveries of an older release count with the bytes of their bodies', async (t) => {
      const { db, migrate } = await openEmpty(t)
      await migrate(Object.fromEntries(Object.entries(migrations).filter(([each]) => each < '2026-12-01')))
      await sql`insert into accounts (id, name, plan, created_at) values ('a', 'A', 'pro', 1)`.execute(db)
      const rows = [
        { id: 'whd_1', status: 'pending', ended_at: null },
        { id: 'whd_2', status: 'pending', ended_at: null },
        { id: 'whd_3', status: 'failed', ended_at: 1 },
      ]
      for (const { id, status, ended_at } of rows)
        await sql`insert into webhook_deliveries (id, account_id, endpoint_id, url, event_id, event_type, body, status, attempts, log, created_at, ended_at)
          values (${id}, 'a', 'whe_1', 'u', 'evt_1', 't', 'häll', ${status}, 0, '[]', 1, cast(${ended_at} as bigint))`.execute(
          db,
        )
      await sql`insert into webhook_queues values ('a', 'whe_1', 2, 1), ('a', 'whe_2', 0, null)`.execute(db)
      await migrate(migrations)
      const queues = await db.selectFrom('webhook_queues').selectAll().orderBy('endpoint_id').execute()
      assert.deepEqual(
        queues.map(({ waiting, waiting_bytes }) => [Number(waiting), Number(waiting_bytes)]),
        [
          [2, 2 * 505],
          [0, 0],
        ],
      )
      const deliveries = await db.selectFrom('webhook_deliveries').select(['body', 'body_id']).execute()
      for (const { body, body_id } of deliveries) assert.deepEqual([body, body_id], ['häll', null])
      assert.equal(deliveries.length, rows.length)
    })

    test('images and long executions of an older release count as stored bytes', async (t) => {
      const { db, migrate } = await openEmpty(t)
      await migrate(Object.fromEntries(Object.entries(migrations).filter(([each]) => each < '2026-12-05')))
      for (const id of ['a', 'b'])
        await sql`insert into accounts (id, name, plan, created_at) values (${id}, 'A', 'pro', 1)`.execute(db)
      const size = 5_000_000_000
      for (const id of ['img_1', 'img_2'])
        await sql`insert into images (id, account_id, name, format, size, width, height, sha256, created_at)
          values (${id}, 'a', 'n', 'png', ${size}, 1, 1, '', 1)`.execute(db)
      for (const [id, length] of [
        ['exec_1', 20_000],
        ['exec_2', 2_000],
      ] as const)
        await sql`insert into executions (id, account_id, workflow_id, workflow_version, parameters, status, attempt, steps, created_at)
          values (${id}, 'a', 'wf_1', null, ${'x'.repeat(length)}, 'completed', 1, '[]', 1)`.execute(db)
      await migrate(migrations)
      const totals = [...(await storedTotals(db))].filter(([key]) => key.includes('stored_bytes'))
      assert.deepEqual(totals, [['a stored_bytes ', 2 * size + 20_002]])
      await sql`delete from images where id = 'img_1'`.execute(db)
      await sql`delete from executions`.execute(db)
      const [left] = (
        await sql<{ total: number }>`select sum(total) as total from list_totals where list = 'stored_bytes'`.execute(
          db,
        )
      ).rows
      assert.equal(Number(left?.total), size)
    })

    test('moves of an older release are numbered in the order of their time, and the ends of its keys are known', async (t) => {
      const { db, migrate } = await openEmpty(t)
      await migrate(Object.fromEntries(Object.entries(migrations).filter(([each]) => each < '2026-12-06')))
      await sql`insert into accounts (id, name, plan, created_at) values ('a', 'A', 'pro', 1)`.execute(db)
      for (const [id, expires, revoked] of [
        ['key_1', 5, 9],
        ['key_2', null, 7],
        ['key_3', null, null],
      ] as const)
        await sql`insert into keys (id, account_id, name, prefix, hash, permissions, created_at, expires_at, revoked_at)
          values (${id}, 'a', '', '', ${id}, '[]', 1, cast(${expires} as bigint), cast(${revoked} as bigint))`.execute(
          db,
        )
      await sql`insert into projects values ('p', 'a', 'P', '', 1, 0, 1, 1)`.execute(db)
      for (const id of ['w', 'x']) {
        await sql`insert into workflows (id, account_id, project_id, name, description, version, created_at, updated_at)
          values (${id}, 'a', 'p', 'n', '', 1, 1, 1)`.execute(db)
        for (const [channel, sequence, at] of [
          ['live', 1, 20],
          ['live', 2, 40],
          ['old', 1, 10],
          ['test', 1, 30],
        ] as const)
          await sql`insert into channel_moves values (${id}, ${channel}, ${sequence}, 1, null, 0, ${at}, null)`.execute(
            db,
          )
      }
      await migrate(migrations)
      const moves = await db
        .selectFrom('channel_moves')
        .select(['workflow_sequence', 'moved_at'])
        .orderBy('workflow_id')
        .orderBy('moved_at')
        .execute()
      assert.deepEqual(
        moves.map((each) => [Number(each.workflow_sequence), Number(each.moved_at)]),
        [...[1, 2, 3, 4], ...[1, 2, 3, 4]].map((n) => [n, 10 * n]),
      )
      const { rows } = await sql<{ id: string }>`select id from keys where ${endsAt} < 9 order by ${endsAt}`.execute(db)
      assert.deepEqual(
        rows.map(({ id }) => id),
        ['key_1', 'key_2'],
      )
    })

    test('step results and checkpoints of an older release count, and those that are removed no longer do', async (t) => {
      const { db, migrate } = await openEmpty(t)
      await migrate(Object.fromEntries(Object.entries(migrations).filter(([each]) => each < '2026-12-07')))
      const size = 5_000_000_000
      for (const account of ['a', 'b', 'c'])
        await sql`insert into accounts (id, name, plan, created_at) values (${account}, 'A', 'pro', 1)`.execute(db)
      for (const [account, key] of ['a 1', 'a 2', 'b 3'].map((each) => each.split(' '))) {
        await sql`insert into step_results (account_id, key, size, facts, created_at, used_at)
          values (${account}, ${key}, ${size}, '{}', 1, 1)`.execute(db)
        await sql`insert into step_checkpoints (execution_id, task, account_id, size, facts, created_at)
          values ('exec_1', ${key}, ${account}, ${size}, '{}', 1)`.execute(db)
      }
      await migrate(migrations)
      const bytes = async () => {
        const { rows } = await sql<{
          account_id: string
          list: string
          n: number
        }>`select account_id, list, sum(total) as n
          from list_totals where list like 'step%' group by 1, 2 order by 2, 1`.execute(db)
        return rows.map(({ account_id, n }) => `${account_id} ${Number(n) / size}`).join(', ')
      }
      assert.equal(await bytes(), 'a 2, b 1, a 2, b 1')
      await sql`delete from step_results where key <> '1'`.execute(db)
      await sql`delete from step_checkpoints where task = '1'`.execute(db)
      // In the order of the lists: checkpoints, then results.
      assert.equal(await bytes(), 'a 1, b 1, a 1, b 0')
    })

    test('steps and brand values of executions, and previews, of an older release count', async (t) => {
      const { db, migrate } = await openEmpty(t)
      await migrate(Object.fromEntries(Object.entries(migrations).filter(([each]) => each < '2026-12-08')))
      for (const id of ['a', 'b', 'c'])
        await sql`insert into accounts (id, name, plan, created_at) values (${id}, 'A', 'pro', 1)`.execute(db)
      const insert = (
        id: string,
        account: string,
        columns: { parameters?: number; brand?: number; steps?: number },
      ) => {
        const [parameters, brand, steps] = [columns.parameters, columns.brand, columns.steps].map((length = 0) =>
          'x'.repeat(length),
        )
        return sql`insert into executions (id, account_id, workflow_id, workflow_version, parameters, brand, status, attempt, steps, created_at)
          values (${id}, ${account}, 'wf_1', null, ${parameters}, ${brand}, 'completed', 1, ${steps}, 1)`.execute(db)
      }
      await insert('exec_1', 'a', { parameters: 20_000, brand: 1_000, steps: 3_000 })
      await insert('exec_2', 'a', { parameters: 10_000, brand: 4_000, steps: 4_000 })
      await insert('exec_3', 'a', { parameters: 10_000, brand: 100 })
      await insert('exec_4', 'b', { brand: 60_000 })
      await insert('exec_5', 'c', { steps: 1_000 })
      await sql`insert into previews (id, account_id, width, height, created_at, used_at)
        values ('prev_1', 'b', 512, 100, 1, 1), ('prev_2', 'b', 3, 3, 1, 1)`.execute(db)
      await migrate(migrations)
      assert.deepEqual(await storedTotals(db), await countedTotals(db))
      const bytes = async () =>
        [...(await storedTotals(db))].filter(([key]) => key.includes('_bytes')).map(([key, n]) => `${key}${n}`)
      const stored = ['a stored_bytes 42000', 'b preview_bytes 20994', 'b stored_bytes 60000']
      assert.deepEqual(await bytes(), stored)
      await sql`update executions set steps = '' where id = 'exec_2'`.execute(db)
      await sql`update executions set error = ${'x'.repeat(40_000)} where id = 'exec_5'`.execute(db)
      await sql`delete from executions where account_id = 'b'`.execute(db)
      await sql`delete from previews`.execute(db)
      assert.deepEqual(await bytes(), ['a stored_bytes 24000', 'c stored_bytes 41000'])
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
