/** Lists of a thousand and of a million rows, on both engines, in the store and over HTTP. */
import { join } from 'node:path'
import { sql } from 'kysely'
import type { AuditFilter } from '../src/domain/accounts/audit.ts'
import type { ImageFilter, ImageOrder } from '../src/domain/images/image.ts'
import type { Page, PageRequest } from '../src/domain/page.ts'
import { type Database, type DatabaseLocation, openDatabase } from '../src/storage/database/open.ts'
import { startPostgres } from '../test/harness/postgres.ts'
import { createAccount } from './account.ts'
import { call } from './client.ts'
import { startService } from './processes.ts'
import { percentile } from './statistics.ts'

export const longListRows = { few: 1_000, many: 1_000_000 }

export interface LongListResult {
  engine: Database['engine']
  list: string
  http: SizesCompared
  store: SizesCompared
}

/** Milliseconds. */
export interface SizesCompared {
  few: { p50: number; p95: number }
  many: { p50: number; p95: number }
  /** The p95 with many rows divided by that with few, in each round. */
  ratios: number[]
  /** The same for two lists with few rows, in turns: the noise of the machine. */
  noise: number[]
}

/** Rows of each service and store in turns, call by call. */
const rounds = 4
const callsOfRound = 100
/** Slow pages have fewer calls. */
const roundMs = 2_000

export async function measureLongLists(folder: string): Promise<LongListResult[]> {
  const postgres = await startPostgres()
  try {
    const onSqlite = async (size: string) => ({ dataDir: join(folder, `list-${size}`), settings: {} })
    const onPostgres = async (size: string) => ({
      dataDir: join(folder, `list-postgres-${size}`),
      settings: { DATABASE_URL: await postgres.newDatabase() },
    })
    return [...(await measureEngineLists(onSqlite)), ...(await measureEngineLists(onPostgres))]
  } finally {
    await postgres.remove()
  }
}

type OpenData = (size: string) => Promise<{ dataDir: string; settings: { DATABASE_URL?: string } }>

async function measureEngineLists(openData: OpenData): Promise<LongListResult[]> {
  const few = await startFilled(await openData('few'), longListRows.few)
  const many = await startFilled(await openData('many'), longListRows.many)
  try {
    // One kind after the other, because reading from the store of this process delays its connections.
    const pages = await Promise.all(
      lists.map(async (each) => ({ list: each.list, few: await pagesOf(each, few), many: await pagesOf(each, many) })),
    )
    const overHttp: SizesCompared[] = []
    for (const each of pages) overHttp.push(await compareSizes(each.few.http, each.many.http))
    const results: LongListResult[] = []
    for (const [i, each] of pages.entries()) {
      const store = await compareSizes(each.few.store, each.many.store)
      results.push({ engine: few.database.engine, list: each.list, http: overHttp[i] ?? store, store })
    }
    return results
  } finally {
    await few.stop()
    await many.stop()
  }
}

interface Filled {
  database: Database
  accountId: string
  projectId: string
  workflowId: string
  rows: number
  get(path: string): Promise<{ cursor: string | null }>
  stop(): Promise<void>
}

type Filters = Record<string, string>

interface List {
  list: string
  path: string
  filters(filled: Filled): Filters
  read(filled: Filled, page: PageRequest): Promise<Page<unknown>>
  /** The rows before the page. */
  skipped(rows: number): number
  by: 'cursor' | 'offset'
}

type Store = Database['stores']
type Named = [list: string, filters?: (filled: Filled) => Filters, matches?: (rows: number) => number]

/** Each list from its middle by cursor. `matches`: how many of the rows are in the list; default: all. */
function fromTheMiddle(
  path: string,
  read: (stores: Store, accountId: string, page: PageRequest, filters: Filters) => Promise<Page<unknown>>,
  ...lists: Named[]
): List[] {
  return lists.map(([list, filters = () => ({}), matches = (rows) => rows]) => ({
    ...{ list, path, filters },
    read: (filled, page) => read(filled.database.stores, filled.accountId, page, filters(filled)),
    skipped: (rows) => Math.floor(matches(rows) / 2),
    by: 'cursor',
  }))
}

const executions = fromTheMiddle(
  '/workflows/executions',
  (stores, accountId, page, filters) => stores.executions.list(accountId, page, filters),
  ['executions'],
  ['executions of a workflow', ({ workflowId }) => ({ workflowId }), (rows) => rows / workflowCount],
  ['executions that failed', () => ({ status: 'failed' }), (rows) => rows / 7],
  [
    'executions of a workflow that failed',
    ({ workflowId }) => ({ workflowId, status: 'failed' }),
    (rows) => rows / workflowCount / 7,
  ],
)
const images = fromTheMiddle(
  '/storage/images',
  (stores, accountId, page, { sort, ...filters }) =>
    stores.images.list(accountId, page, filters as ImageFilter, sort as ImageOrder | undefined),
  ['images'],
  ['images, oldest first', () => ({ sort: 'oldest' })],
  ['images, largest first', () => ({ sort: 'largest' })],
  ['images of a project', ({ projectId }) => ({ projectId }), (rows) => rows / 10],
  ['uploads', () => ({ source: 'upload' }), (rows) => rows / 4],
  ['outputs', () => ({ source: 'output' }), (rows) => (rows / 4) * 3],
  ['images with a name that all have', () => ({ search: 'card' })],
  ['images with a name that one in 100 has', () => ({ search: '77.webp' }), (rows) => rows / 100],
  ['images with a name that one has', ({ rows }) => ({ search: `card ${(rows / 10) * 7}.` }), () => 0],
  ['images with a name that none has', () => ({ search: 'xyz' }), () => 0],
)
const others = [
  ...fromTheMiddle(
    '/webhook-deliveries',
    (stores, accountId, page, filters) => stores.webhookDeliveries.list(accountId, page, filters),
    ['deliveries'],
    ['deliveries that failed', () => ({ status: 'failed' }), (rows) => rows / 7],
  ),
  ...fromTheMiddle(
    '/audit',
    (stores, accountId, page, filters) => stores.audit.list(accountId, page, filters as AuditFilter),
    ['audit log'],
    ['audit log, one action', () => ({ action: 'image.delete' }), (rows) => rows / 7],
  ),
]
const [allExecutions, allImages] = [executions[0] as List, images[0] as List]

const lists: List[] = [
  ...[allExecutions, allImages].map((each): List => ({ ...each, list: `${each.list}, first page`, skipped: () => 0 })),
  ...[...executions, ...images, ...others].map((each) => ({ ...each, list: `${each.list}, by cursor` })),
  ...[allExecutions, allImages].flatMap((each): List[] => [
    { ...each, list: `${each.list}, offset of 900`, by: 'offset', skipped: () => 900 },
    { ...each, list: `${each.list}, offset of the middle`, by: 'offset' },
  ]),
]

/** Calls for a page of the list: from the store, and over HTTP. The cursor is read before. */
async function pagesOf({ path, filters, read, skipped, by }: List, filled: Filled) {
  const before = skipped(filled.rows)
  const query = new URLSearchParams(filters(filled))
  const get = (more: Filters) => filled.get(`${path}?${query}&${new URLSearchParams(more)}`)
  if (by === 'offset' || before === 0)
    return {
      store: () => read(filled, { limit: 20, offset: before }),
      http: () => get({ limit: '20', offset: String(before) }),
    }
  const { next } = await read(filled, { limit: 1, offset: before - 1 })
  const { cursor } = await get({ limit: '1', offset: String(before - 1) })
  if (next === null || cursor === null) throw new Error(`${path}?${query} has no page after ${before} rows`)
  return { store: () => read(filled, { limit: 20, offset: 0, after: next }), http: () => get({ limit: '20', cursor }) }
}

async function startFilled({ dataDir, settings }: Awaited<ReturnType<OpenData>>, rows: number): Promise<Filled> {
  const location: DatabaseLocation =
    'DATABASE_URL' in settings ? { url: settings.DATABASE_URL ?? '' } : { file: join(dataDir, 'tintype.db') }
  const account = await createAccount(dataDir, { url: '' }, settings)
  const database = await openDatabase(location)
  const [project] = (await database.stores.projects.list(account.id, { limit: 1, offset: 0 })).items
  const projectId = project?.id ?? ''
  await fill(database, { accountId: account.id, projectId, rows })
  const service = await startService(dataDir, settings)
  return {
    database,
    accountId: account.id,
    projectId,
    workflowId: 'wf_bench_3',
    rows,
    get: (path) => call({ url: `${service.url}/v1${path}`, key: account.key }),
    async stop() {
      await service.stop()
      await database.close()
    },
  }
}

const workflowCount = 5
const rowsOfStatement = 5_000

/**
 * This number of executions, images, deliveries and entries of the audit log, one every ten milliseconds until now. One in 7 failed; one image in 10
 * is in a project, one in 4 is an upload, and sizes vary.
 */
async function fill(
  { kysely: db, engine }: Database,
  { accountId, projectId, rows }: { accountId: string; projectId: string; rows: number },
): Promise<void> {
  const [account, project] = [sql.lit(accountId), sql.lit(projectId)]
  const numbers = (last: number, first = 1) =>
    sql`with recursive numbers(i) as (select ${sql.lit(first)} union all select i + 1 from numbers where i < ${sql.lit(last)})`
  const start = sql.lit(Date.now() - rows * 10)
  await sql`${numbers(workflowCount)}
    insert into workflows (id, account_id, project_id, name, description, version, created_at, updated_at)
    select 'wf_bench_' || i, ${account}, ${project}, 'Workflow ' || i, '', 1, ${start} + i, ${start} + i from numbers`.execute(
    db,
  )
  await sql`${numbers(workflowCount)}
    insert into workflow_versions (workflow_id, version, created_at, document)
    select 'wf_bench_' || i, 1, ${start} + i, '{}' from numbers`.execute(db)
  // PostgreSQL would cancel one statement for all of them.
  for (let from = 1; from <= rows; from += rowsOfStatement) {
    const part = numbers(Math.min(rows, from + rowsOfStatement - 1), from)
    await sql`${part}
      insert into executions (id, account_id, workflow_id, workflow_version, parameters, status, attempt, output, error,
        created_at, started_at, completed_at, steps)
      select 'exec_' || (100000000 + i), ${account}, 'wf_bench_' || (i % ${sql.lit(workflowCount)} + 1), 1, ${sql.lit(parameters)},
        case when i % 7 = 0 then 'failed' else 'completed' end, 1, case when i % 7 = 0 then null else ${sql.lit(output)} end,
        case when i % 7 = 0 then ${sql.lit(error)} else null end,
        ${start} + i * 10, ${start} + i * 10 + 4, ${start} + i * 10 + 90, ${sql.lit(steps)} from numbers`.execute(db)
    await sql`${part}
      insert into images (id, account_id, project_id, name, format, size, width, height, sha256, execution_id, created_at)
      select 'img_' || (100000000 + i), ${account}, case when i % 10 = 0 then ${project} else null end, 'Card ' || i || '.webp', 'webp',
        40000 + (i % 100003) * 7919 % 100003, 1200, 630, 'hash ' || i, case when i % 4 = 0 then null else 'exec_' || (100000000 + i) end,
        ${start} + i * 10 from numbers`.execute(db)
    await sql`${part}
      insert into webhook_deliveries (id, account_id, endpoint_id, url, event_id, event_type, body, status, attempts, log, created_at, ended_at)
      select 'whd_' || (100000000 + i), ${account}, 'whe_bench', 'https://example.com/hook', 'evt_' || (100000000 + i), 'execution.completed',
        ${sql.lit(parameters)}, case when i % 7 = 0 then 'failed' else 'delivered' end, 1, '[]', ${start} + i * 10, ${start} + i * 10 + 90
        from numbers`.execute(db)
    await sql`${part}
      insert into audit_log (id, account_id, created_at, action, subject, actor, key_id)
      select 'aud_' || (100000000 + i), ${account}, ${start} + i * 10, case when i % 7 = 0 then 'image.delete' else 'image.upload' end,
        'img_' || (100000000 + i), 'key', 'key_bench' from numbers`.execute(db)
  }
  // Autovacuum would do it a minute later.
  if (engine === 'postgres') await sql`vacuum analyze`.execute(db)
}

const parameters = JSON.stringify({ headline: 'Small things travel far', site: 'example.com' })
const output = JSON.stringify({ imageId: 'img_100000001', width: 1200, height: 630, format: 'webp' })
const error = JSON.stringify({ code: 'workflow_failed', message: 'It failed.', details: { reason: 'input_invalid' } })
const steps = JSON.stringify(
  ['photo', 'cover'].map((node) => ({ node, operation: 'resize', status: 'completed', startedAt: 1, durationMs: 1.5 })),
)

async function compareSizes(few: () => Promise<unknown>, many: () => Promise<unknown>): Promise<SizesCompared> {
  const all = { few: [] as number[], many: [] as number[] }
  const ratios: number[] = []
  const noise: number[] = []
  for (let round = -1; round < rounds; round += 1) {
    const [odd, even, of] = [[], [], []] as [number[], number[], number[]]
    const startMs = performance.now()
    for (let i = 0; i < callsOfRound && (i < 5 || performance.now() - startMs < roundMs); i += 1) {
      odd.push(await timed(few))
      of.push(await timed(many))
      even.push(await timed(few))
    }
    // The first round warms everything up.
    if (round < 0) continue
    ratios.push(percentile(of, 95) / percentile([...odd, ...even], 95))
    noise.push(percentile(odd, 95) / percentile(even, 95))
    all.few.push(...odd, ...even)
    all.many.push(...of)
  }
  const summary = (values: number[]) => ({ p50: percentile(values, 50), p95: percentile(values, 95) })
  return { few: summary(all.few), many: summary(all.many), ratios, noise }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
