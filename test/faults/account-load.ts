/**
 * An account with many records, cached results, files, deliveries and running work is deleted by the command, next to a service under load. Nothing of it
 * is left in the database and the storage, and no request of another account fails. With TEST_FULL=1: 10,000 images and 50,000 executions.
 */
import assert from 'node:assert/strict'
import { linkSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { percentile } from '../../bench/statistics.ts'
import { openDatabase } from '../../src/storage/database/open.ts'
import type { Schema } from '../../src/storage/database/schema.ts'
import { rowsOf } from '../contract/account-removal.ts'
import { countedTotals, storedTotals } from '../contract/totals.ts'
import { tintypeJson } from '../harness/cli.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import { canvas, scale } from '../harness/documents.ts'
import { noise, plain } from '../harness/pictures.ts'
import { repetitions } from '../harness/repetitions.ts'
import { startWithoutExamples } from '../harness/service.ts'
import { newAccount } from '../harness/shared.ts'
import { deliver, deliveryUrl, newSigningKey } from '../harness/signed-urls.ts'
import { startSourceHost } from '../harness/source-host.ts'
import type { Execution, Project } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { run, save, upload } from '../harness/workflows.ts'

const images = repetitions(500, 10_000)
const executions = repetitions(1_000, 50_000)
const requestsBefore = repetitions(60, 600)

/** Copies of the first row of a table with this condition: `of` has the columns that differ, with the number of the copy in `n.i`. */
async function copies(
  db: Kysely<Schema>,
  table: string,
  count: number,
  condition: RawBuilder<unknown>,
  of: Record<string, RawBuilder<unknown>>,
): Promise<void> {
  const columns = (await db.introspection.getTables()).find(({ name }) => name === table)?.columns ?? []
  const names = columns.filter(({ name }) => name !== 'has_ended').map(({ name }) => name)
  const values = names.map((name) => of[name] ?? sql.ref(`r.${name}`))
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.id(name)))})
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})
    select ${sql.join(values)} from (select * from ${sql.table(table)} where ${condition} limit 1) as r cross join n`.execute(
    db,
  )
  assert.equal(Number(numAffectedRows), count, `${table} has no row to copy`)
}

const numbered = (column: string) => sql`r.${sql.id(column)} || '_' || cast(n.i as text)`

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

export async function deleteAccountUnderLoad(t: TestContext, databaseUrl?: string): Promise<void> {
  const outside = await startSourceHost()
  const refusing = outside.serve('/webhooks', (_, response) => response.writeHead(500).end())
  const environment = {
    FETCH_ALLOW: 'localhost',
    WEBHOOK_HTTP: 'true',
    DOCS: 'false',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
  const service = await startWithoutExamples(environment)
  t.after(async () => {
    await outside.close()
    await service.remove()
  })
  const { api, accountId } = await newAccount({ service })
  const others = await Promise.all(Array.from({ length: 3 }, () => newAccount({ service })))

  // One record of each kind by requests, and copies of them in the database and the storage.
  ok(await api.post('/webhook-endpoints', { url: refusing }), 201)
  const project = ok(await api.post<Project>('/projects', { name: 'Gone' }), 201)
  const { nodes, ...document } = scale()
  // Slow enough for the cache.
  const soft = { type: 'blur', inputs: { image: 'load' }, params: { sigma: 40 } }
  const small = { ...nodes.small, inputs: { image: 'soft' } }
  const workflow = await save(api, { ...document, nodes: { ...nodes, soft, small } as typeof nodes }, project.id)
  const photo = await upload(api, await plain('png'))
  const large = await upload(api, await noise('jpeg', 1_500, 1_000))
  await run(api, workflow.id, { source: large.id })
  ok(await deliver(api, deliveryUrl(await newSigningKey(api), `${photo.id}.webp`, { w: '8' })))
  const database = await openDatabase(
    databaseUrl === undefined ? { file: join(service.dataDir, 'tintype.db') } : { url: databaseUrl },
  )
  t.after(() => database.close())
  const { kysely: db } = database
  const own = sql`account_id = ${accountId}`
  const blobs = join(service.dataDir, 'blobs')
  async function copyBlobs(key: string, count: number): Promise<void> {
    const file = filesBelow(blobs).find((path) => path.endsWith(`/${key}`)) ?? assert.fail(`no file ${key}`)
    const [id = '', extension] = key.split('.')
    for (let i = 1; i <= count; i += 1) {
      const copy = `${id}_${i}`
      const [outer = '', inner = ''] = copy.slice(-2)
      const to = join(blobs, outer, inner, extension === undefined ? copy : `${copy}.${extension}`)
      mkdirSync(dirname(to), { recursive: true })
      linkSync(file, to)
    }
  }
  const result = await until('the cached result', () =>
    db
      .selectFrom('step_results')
      .selectAll()
      .where('blob_key', 'is not', null)
      .where(own as never)
      .executeTakeFirst(),
  )
  await until('a delivery', () =>
    db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where(own as never)
      .executeTakeFirst(),
  )
  const file = await db
    .selectFrom('derived_files')
    .select(['id', 'key'])
    .where(own as never)
    .executeTakeFirstOrThrow()
  await copies(db, 'executions', executions, own, { id: numbered('id') })
  const ofExecution = sql`execution_id in (select id from executions where ${own})`
  await copies(db, 'execution_events', executions, ofExecution, { execution_id: numbered('execution_id') })
  await copies(db, 'images', images, sql`id = ${photo.id}`, { id: numbered('id') })
  const results = images / 5
  await copies(db, 'step_results', results, sql`key = ${result.key}`, {
    key: numbered('key'),
    blob_key: numbered('blob_key'),
    size: sql`1000`,
  })
  await copies(db, 'step_result_images', results, sql`key = ${result.key}`, { key: numbered('key') })
  await copies(db, 'derived_files', results, sql`key = ${file.key}`, { key: numbered('key'), id: numbered('id') })
  await copies(db, 'webhook_deliveries', results, own, { id: numbered('id') })
  await copyBlobs(`${photo.id}.png`, images)
  await copyBlobs(`${result.blob_key}`, results)
  await copyBlobs(`${file.id}.webp`, results)

  const hold = outside.hold()
  const running = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      const body = { workflowId: workflow.id, parameters: { source: hold.url, width: n + 1 }, async: true }
      return ok(await api.post<Execution>('/workflows/execute', body), 202).executionId
    }),
  )
  await hold.waiting()

  /** Requests of one account, one after another. */
  async function work(other: Client, workflowId: string, isDone: (requests: number) => boolean): Promise<number[]> {
    const times: number[] = []
    for (let n = 0; !isDone(n); n += 1) {
      const startedAt = performance.now()
      if (n % 3 === 0) await run(other, workflowId)
      else ok(await other.get(n % 3 === 1 ? '/storage/images' : '/workflows/executions', { limit: 20 }))
      times.push(performance.now() - startedAt)
    }
    return times
  }
  const saved = await Promise.all(
    others.map(async (other) => ({ other: other.api, id: (await save(other.api, canvas())).id })),
  )
  const load = async (isDone: (requests: number) => boolean) =>
    (await Promise.all(saved.map(({ other, id }) => work(other, id, isDone)))).flat()
  const before = await load((requests) => requests >= requestsBefore)
  let isDeleted = false
  const startedAt = performance.now()
  const deletion = tintypeJson<{ isGone: boolean; rows: Record<string, number>; blobs: number }>(
    service,
    ...['accounts', 'delete', accountId],
  ).finally(() => {
    isDeleted = true
  })
  const [removed, during] = await Promise.all([deletion, load((requests) => isDeleted && requests > 0)])
  const seconds = (performance.now() - startedAt) / 1_000
  hold.release()

  assert.equal(removed.isGone, true)
  assert.equal(removed.rows.images, images + 3)
  assert.equal(removed.rows.executions, executions + 1 + running.length)
  refused(await api.get('/workflows'), 'unauthorized')
  // A worker that ran when the account was deleted removes its bytes when it is done.
  const left = await until('the last files of the account to go', async () => {
    const { rows } = await sql<{ blob: string }>`
      select id from images union all select id from derived_files union all select blob_key from step_results`.execute(
      db,
    )
    const ids = new Set(rows.map((row) => Object.values(row)[0]))
    const files = filesBelow(blobs).filter((path) => !path.startsWith(join(blobs, 'tmp')))
    const orphaned = files.filter((path) => !ids.has(path.split('/').at(-1)?.split('.')[0] ?? ''))
    return orphaned.length === 0 ? files : undefined
  })
  assert.ok(left.length > 0)
  const ids = [accountId, workflow.id, project.id, photo.id, running[0] ?? '']
  for (const [one = '', two = '', three = ''] of [ids.slice(0, 3), [...ids.slice(3), accountId]])
    assert.deepEqual(await rowsOf(db, { accountId: one, workflow: { id: two }, project: { id: three } }), {})
  const events = await sql<{ n: number }>`
    select count(*) as n from execution_events where execution_id not in (select id from executions)`.execute(db)
  assert.equal(Number(events.rows[0]?.n), 0)
  assert.deepEqual(await storedTotals(db), await countedTotals(db))
  const p95 = (times: number[]) => `${percentile(times, 95).toFixed(0)} ms (${times.length} requests)`
  t.diagnostic(
    `${removed.blobs} files and ${Object.values(removed.rows).reduce((sum, n) => sum + n, 0)} rows in ${seconds.toFixed(1)} s; p95 of others: ${p95(before)} before, ${p95(during)} meanwhile`,
  )
}
