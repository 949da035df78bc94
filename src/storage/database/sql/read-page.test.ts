import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import { execution, image, success, tenant } from '../../../../test/contract/records.ts'
import { newSqlite } from '../../../../test/harness/sqlite.ts'
import type { PageRequest } from '../../../domain/page.ts'
import { sqliteDialect } from '../dialect.ts'
import { createStores, type Stores } from '../open.ts'
import { listTotal } from './list-total.ts'
import { readCounted, readPage } from './read-page.ts'

type List = (
  stores: Stores,
  accountId: string,
  page: PageRequest,
) => Promise<{ items: unknown[]; total?: number; next?: unknown }>

/** Lists that can be long, with filters that an index has. */
const lists: List[] = [
  ({ executions }, accountId, page) => executions.list(accountId, page, {}),
  ({ executions }, accountId, page) => executions.list(accountId, page, { createdAfter: 1 }),
  ({ executions }, accountId, page) => executions.list(accountId, page, { workflowId: 'w' }),
  ({ executions }, accountId, page) => executions.list(accountId, page, { status: 'completed' }),
  ({ executions }, accountId, page) => executions.list(accountId, page, { workflowId: 'w', status: 'completed' }),
  ({ images }, accountId, page) => images.list(accountId, page, {}),
  ({ images }, accountId, page) => images.list(accountId, page, { projectId: 'p' }),
  ({ webhookDeliveries }, accountId, page) => webhookDeliveries.list(accountId, page, {}),
  ({ batches }, accountId, page) => batches.list(accountId, page, {}, 1),
  ({ drafts }, accountId, page) => drafts.list(accountId, page, {}),
]

const partial = /INDEX (executions_(of_workflow_)?in_status_newest|batches_newest)/

for (const list of lists) {
  test(`${nameOf(list)} reads only the ids of the rows before a later page`, async (t) => {
    const { recorded, queries, plan } = await open(t, { totals: 9 })
    await list(recorded, 'a', { limit: 1, offset: 5 })
    const rows = queries.filter((text) => text.includes(' in (select '))
    assert.equal(rows.length, 1)
    assert.match(String(rows[0]), / where "\w+" in \(select "\w+" as "id" from "\w+" where /)
    const searches = plan(String(rows[0])).filter((step) => /^SEARCH (?!list_totals|each ).*account_id=\?/.test(step))
    assert.equal(searches.length, 1)
    // SQLite also checks the condition of a partial index, which it needs the row for. PostgreSQL does not.
    if (!partial.test(String(searches[0]))) assert.match(String(searches[0]), /COVERING INDEX/)
  })
}

test('a page after the end is empty and reads the total only', async (t) => {
  const { stores, recorded, queries } = await open(t)
  const { account, workflow } = await tenant(stores)
  for (let i = 0; i < 3; i++) {
    await stores.images.create(image({ accountId: account.id }))
    const { id } = await stores.executions.create(execution(workflow))
    const { attempt } = (await stores.executions.claimNext(1)) ?? { attempt: 0 }
    await stores.executions.complete(id, attempt, success(execution(workflow)))
  }
  const each: List[] = [
    ({ images }, accountId, page) => images.list(accountId, page, {}),
    ({ workflows }, accountId, page) => workflows.list(accountId, page, {}),
  ]
  for (const list of each) {
    const { total = 0 } = await list(recorded, account.id, { limit: 1, offset: 0 })
    queries.length = 0
    for (const offset of [total, total + 1, 1_000_000_000])
      assert.deepEqual(
        { ...(await list(recorded, account.id, { limit: 5, offset })), longIds: 0 },
        { items: [], next: null, total, longIds: 0 },
      )
    // Images of projects that are being deleted are hidden: their list asks for such projects first.
    const ofList = queries.filter((text) => !text.includes('from "projects"'))
    for (const text of ofList) assert.match(text, /from "list_totals"/)
    assert.equal(ofList.length, 3)
  }
})

for (const kind of ['counted', 'uncounted'] as const)
  test(`pages of a long list that is ${kind} are read in parts`, async (t) => {
    const { db, stores, queries, offsets } = await open(t)
    const { account } = await tenant(stores)
    const rows = 20
    // Several have the same time.
    for (let i = 0; i < rows; i++)
      await stores.images.create({ ...image({ accountId: account.id }), createdAt: 1_000 + Math.floor(i / 3) })
    const { items: all } = await stores.images.list(account.id, { limit: 100, offset: 0 }, {})
    const list = {
      table: db.selectFrom('images'),
      matching: db.selectFrom('images').where('account_id', '=', account.id),
      columns: (found: ReturnType<typeof db.selectFrom<'images'>>) => found.select(['id', 'created_at']),
      toItem: ({ id, created_at }: { id: string; created_at: number }) => ({ id, createdAt: created_at }),
    }
    for (let offset = 0; offset <= rows + 1; offset++) {
      queries.length = 0
      offsets.length = 0
      const items = all.slice(offset, offset + 2).map(({ id, createdAt }) => ({ id, createdAt }))
      const last = items[1]
      const next = last && offset + 2 < rows ? { value: last.createdAt, id: last.id } : null
      if (kind === 'counted') {
        const counted = { ...list, count: listTotal(db, account.id, 'images') }
        assert.deepEqual(await readCounted({ limit: 2, offset }, counted, 4), { items, next, total: rows })
      } else {
        const page = await readPage({ limit: 2, offset }, list, 4)
        assert.deepEqual(page, { items, next })
        // From the place of the item before, of which several have the same time.
        const before = all[offset - 1]
        const after = before && { value: before.createdAt, id: before.id }
        if (after) assert.deepEqual(await readPage({ limit: 2, offset: 0, after }, list, 4), page)
      }
      const passedOver = queries.flatMap((text, query) => (text.includes(' offset ') ? offsets[query] : []))
      assert.ok(offset === 0 || offset >= rows || passedOver.length > 0)
      for (const each of passedOver) assert.ok(Number(each) <= 4, `one statement passed over ${each} rows`)
    }
  })

for (const isAscending of [false, true])
  test(`rows that a filter rejects are passed over in parts, ${isAscending ? 'oldest' : 'newest'} first`, async (t) => {
    const { db, stores, queries, offsets } = await open(t)
    const { account } = await tenant(stores)
    for (let i = 0; i < 40; i++) {
      const fields = { accountId: account.id, createdAt: 1_000 + Math.floor(i / 3), width: i % 7 === 0 ? 7 : 1 }
      await stores.images.create(image(fields))
    }
    const { items: all } = await stores.images.list(account.id, { limit: 100, offset: 0 }, {})
    const matches = all.filter(({ width }) => width === 7).map(({ id, createdAt }) => ({ id, createdAt }))
    if (isAscending) matches.reverse()
    const list = {
      table: db.selectFrom('images'),
      matching: db.selectFrom('images').where('account_id', '=', account.id),
      filter: (rows: ReturnType<typeof db.selectFrom<'images'>>) => rows.where('width', '=', 7),
      isAscending,
      columns: (found: ReturnType<typeof db.selectFrom<'images'>>) => found.select(['id', 'created_at']),
      toItem: ({ id, created_at }: { id: string; created_at: number }) => ({ id, createdAt: created_at }),
    }
    const placeAt = (index: number) => {
      const last = matches[index]
      return last && index < matches.length - 1 ? { value: last.createdAt, id: last.id } : null
    }
    for (const countMax of [2, 100])
      for (let offset = 0; offset <= matches.length + 1; offset++) {
        const items = matches.slice(offset, offset + 2)
        const next = placeAt(offset + 1)
        const total = Math.min(countMax, matches.length)
        const counted = { ...list, count: { countMax } }
        assert.deepEqual(await readCounted({ limit: 2, offset }, counted, 4), { items, next, total })
        const after = placeAt(offset - 1)
        if (after)
          assert.deepEqual(await readCounted({ limit: 2, offset: 0, after }, counted, 4), { items, next, total })
      }
    // Each part has four rows at most.
    assert.ok(queries.every((text, query) => !text.includes(' offset ') || Number(offsets[query]) <= 3))
    assert.ok(queries.some((text) => text.includes('"width" = ?') && text.includes('>= (') !== isAscending))
  })

function nameOf(list: List): string {
  return String(list).replace(/^.*?=> /s, '')
}

/** Stores over an empty database, and others whose queries are recorded. `totals`: in place of those that queries count. */
async function open(t: TestContext, { totals }: { totals?: number } = {}) {
  const { kysely: db, stores, file } = await newSqlite(t)
  const explainer = new DatabaseSync(file)
  t.after(() => explainer.close())
  const queries: string[] = []
  /** The last parameter of each query, which is its offset if it has one. */
  const offsets: unknown[] = []
  const compiled = new WeakMap<object, { sql: string; parameters: readonly unknown[] }>()
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      compiled.set(queryId, db.getExecutor().compileQuery(node, queryId))
      return node
    },
    // Parts of a query are transformed as well, and have no result.
    async transformResult({ result, queryId }) {
      queries.push(String(compiled.get(queryId)?.sql))
      offsets.push(compiled.get(queryId)?.parameters.at(-1))
      if (totals === undefined) return result
      return { ...result, rows: result.rows.map((row) => ('total' in row ? { ...row, total: totals } : row)) }
    },
  }
  const recordedDb = db.withPlugin(recorder)
  return {
    db: recordedDb,
    stores,
    recorded: createStores(recordedDb, sqliteDialect),
    queries,
    offsets,
    plan: (text: string) =>
      explainer
        .prepare(`explain query plan ${text}`)
        .all()
        .map(({ detail }) => String(detail)),
  }
}
