import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { migrations } from '../../src/storage/database/migrations/index.ts'
import type { Database } from '../../src/storage/database/open.ts'
import type { Schema } from '../../src/storage/database/schema.ts'
import { countedTotals, keptTotals } from './totals.ts'

/** An empty database, gone after the test. */
export interface Empty {
  db: Kysely<Schema>
  migrate(list: Record<string, Migration>): Promise<void>
  /** Opens the same one as a release does. */
  open(options?: { asItIs: boolean }): Promise<Database>
}

const names = Object.keys(migrations)

export function migrationsContract(name: string, openEmpty: (t: TestContext) => Promise<Empty>): void {
  describe(`migrations on ${name}`, () => {
    for (const [i, release] of names.entries()) {
      test(`a database as ${release} left it is brought to the newest schema with all its rows`, async (t) => {
        const { open } = await openEmpty(t)
        const older = await open({ asItIs: true })
        await older.migrateTo(release)
        for (const { table, row, until } of rowsOf(names.slice(0, i + 1))) {
          if (until === undefined || i < names.indexOf(until)) await insert(older.kysely, table, row)
        }
        await older.close()
        const { stores, kysely, close } = await open()
        t.after(close)
        assert.equal((await stores.accounts.list()).length, 1)
        assert.deepEqual((await stores.workflows.findVersion('wf_1', 1))?.document, { name: 'Card' })
        const images = await stores.images.list('acct_1', { limit: 1, offset: 1 }, { projectId: 'proj_1' })
        assert.deepEqual([images.items.map(({ id }) => id), images.total], [['img_1'], 2])
        const executions = await stores.executions.list('acct_1', { limit: 1, offset: 0 }, { status: 'completed' })
        assert.deepEqual([executions.items.map(({ id }) => id), executions.total], [['exec_completed'], 1])
        assert.deepEqual(await keptTotals(kysely), await countedTotals(kysely))
        assert.equal((await stores.idempotency.find('acct_1', 'answered'))?.response?.status, 201)
        assert.equal((await stores.executions.claimNext(9))?.id, 'exec_pending')
        const has = i >= callsSince ? 1 : 0
        const calls = await stores.providerCalls.at(['exec_completed'], { node: 'a', item: -1, ordinal: 0 })
        assert.deepEqual(
          calls.map(({ answer }) => answer),
          has ? [{ blobKeys: ['call_1_0.png'] }] : [],
        )
        const { spentMicros } = await stores.providerCalls.spentOf('acct_1', '2026-11')
        assert.equal(spentMicros, has * 5_000_000_000)
        const usage = await stores.providerCalls.usage('acct_1', { from: '2026-11-22', to: '2026-11-22' })
        assert.equal(usage.length, has)
        const days = { from: '2026-11-22', to: '2026-11-23' }
        const requests = i >= daysSince ? [{ day: '2026-11-23', requests: 5_000_000_000, refused: 1 }] : []
        assert.deepEqual(await stores.activity.requestsOf('acct_1', days), requests)
        assert.equal((await stores.activity.executionsOf('acct_1', days)).length, requests.length)
        assert.equal((await stores.fonts.list('acct_1', { limit: 9, offset: 0 })).total, i >= fontsSince ? 1 : 0)
      })
    }

    test('migrating again changes nothing', async (t) => {
      const { db, migrate } = await openEmpty(t)
      await migrate(migrations)
      const schema = await schemaOf(db)
      assert.ok(schema.length > 60)
      await migrate(migrations)
      assert.deepEqual(await schemaOf(db), schema)
    })

    test('a database of an older release gets what is missing, and keeps its rows', async (t) => {
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

    test('a migration that fails leaves nothing of itself nor of those before it, and can be tried again', async (t) => {
      const { db, migrate } = await openEmpty(t)
      await migrate({ '2026-01-01-one': makes('one') })
      const before = await schemaOf(db)
      const list = { '2026-01-01-one': makes('one'), '2026-01-02-two': makes('two'), '2026-01-03-three': fails }
      await assert.rejects(migrate(list), /the migration broke/)
      assert.deepEqual(await schemaOf(db), before)
      await migrate({ ...list, '2026-01-03-three': makes('half_made') })
      assert.ok((await schemaOf(db)).some((column) => column.startsWith('half_made')))
    })

    test('a database of a newer release is refused by name and not touched', async (t) => {
      const { db, migrate } = await openEmpty(t)
      await migrate({ '2026-01-01-one': makes('one'), '2026-01-02-two': makes('two') })
      const before = await schemaOf(db)
      await assert.rejects(migrate({ '2026-01-01-one': makes('one') }), /newer release.*2026-01-02-two/)
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

const fontsSince = names.indexOf('2026-11-21-uploaded-fonts')
const callsSince = names.indexOf('2026-11-22-calls-of-providers')
const daysSince = names.indexOf('2026-11-23-sums-of-days')

interface Sample {
  table: string
  row: Record<string, string | number | null>
  /** The migration that changed its columns. */
  until?: string
}

/** Rows as the releases wrote them that knew these migrations. They stay as they are when the schema goes on. */
function rowsOf(known: string[]): Sample[] {
  const answer = { method: 'POST', path: '/v1/x', fingerprint: 'f', created_at: 1, state: 'done' }
  const response = JSON.stringify({ status: 201, headers: {}, body: '{}' })
  const began = { account_id: 'acct_1', workflow_id: 'wf_1', workflow_version: 1, parameters: '{}', steps: '[]' }
  const picture = { account_id: 'acct_1', name: 'a.png', format: 'png', size: 5_000_000_000, width: 1, height: 1 }
  const samples: Sample[] = [
    { table: 'accounts', row: { id: 'acct_1', name: 'Acme', plan: 'pro', rate_limit: null, created_at: 1 } },
    {
      table: 'projects',
      row: {
        id: 'proj_1',
        account_id: 'acct_1',
        name: 'Default',
        description: '',
        is_default: 1,
        created_at: 1,
        updated_at: 1,
      },
    },
    {
      table: 'workflows',
      row: {
        id: 'wf_1',
        account_id: 'acct_1',
        project_id: 'proj_1',
        name: 'Card',
        description: '',
        version: 1,
        created_at: 1,
        updated_at: 1,
      },
    },
    {
      table: 'workflow_versions',
      row: { workflow_id: 'wf_1', version: 1, created_at: 1, document: '{"name":"Card"}' },
    },
    ...['pending', 'completed', 'failed'].map(
      (status, i): Sample => ({
        table: 'executions',
        row: { ...began, id: `exec_${status}`, status, attempt: i, created_at: i },
      }),
    ),
    ...['img_1', 'img_2'].map(
      (id, i): Sample => ({
        table: 'images',
        row: { ...picture, id, project_id: 'proj_1', sha256: id, created_at: i },
      }),
    ),
    { table: 'images', row: { ...picture, id: 'img_0', project_id: null, sha256: '0', created_at: 0 } },
    {
      table: 'idempotency_keys',
      row: { ...answer, account_id: 'acct_1', key: 'answered', response, execution_id: null },
      until: '2026-11-21-whole-requests',
    },
  ]
  if (known.includes('2026-11-21-uploaded-fonts')) {
    const row = { id: 'font_1', account_id: 'acct_1', format: 'ttf', family: 'Acme Sans', sha256: 'f', created_at: 1 }
    samples.push({ table: 'fonts', row: { ...row, weight_min: 400, weight_max: 400, is_italic: 0, size: 1 } })
  }
  if (known.includes('2026-11-21-whole-requests')) {
    const row = { ...answer, account_id: 'acct_1', key: 'answered', response, resource_id: null }
    samples.push({ table: 'idempotency_keys', row })
  }
  if (known.includes('2026-11-22-calls-of-providers')) {
    const of = { account_id: 'acct_1', workflow_id: 'wf_1' }
    const place = { execution_id: 'exec_completed', node: 'a', item: -1, ordinal: 0, sequence: 0 }
    const asked = { capability: 'generate', provider: 'fal', model: 'flux/dev', request_hash: 'h', state: 'done' }
    const answer = '{"blobKeys":["call_1_0.png"]}'
    const times = { created_at: 1, updated_at: 2, ended_at: 2 }
    samples.push(
      {
        table: 'provider_calls',
        row: {
          id: 'call_1',
          ...of,
          ...place,
          ...asked,
          ...times,
          answer,
          reserved_micros: 9,
          cost_micros: 5_000_000_000,
        },
      },
      {
        table: 'budgets',
        row: { scope: 'acct_1', period: '2026-11', spent: 5_000_000_000, reserved: 9, unknown_costs: 0 },
      },
      {
        table: 'usage_days',
        row: {
          ...{ ...of, day: '2026-11-22', key_id: '', model: 'fal/flux/dev', capability: 'generate' },
          ...{ calls: 1, failures: 0, cost: 5_000_000_000, unknown_costs: 0 },
        },
      },
    )
  }
  if (known.includes('2026-11-23-sums-of-days')) {
    const of = { account_id: 'acct_1', day: '2026-11-23' }
    samples.push(
      { table: 'request_days', row: { ...of, requests: 5_000_000_000, refused: 1 } },
      { table: 'execution_days', row: { ...of, failures: '[{"reason":"timeout","count":1}]', durations: '[[12,3]]' } },
    )
  }
  return samples
}

async function insert(db: Kysely<Schema>, table: string, row: Sample['row']): Promise<void> {
  await (db as unknown as Kysely<Record<string, Sample['row']>>).insertInto(table).values(row).execute()
}
