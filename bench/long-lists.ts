/** Lists of a thousand and of a million rows, on both engines, in the store and over HTTP. */
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Database, type DatabaseLocation, openDatabase } from '../src/storage/database/open.ts'
import { startPostgres } from '../test/harness/postgres.ts'
import { createAccount } from './account.ts'
import { send } from './client.ts'
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
    const overHttp: SizesCompared[] = []
    for (const { path } of lists)
      overHttp.push(
        await compareSizes(
          () => few.get(path(few)),
          () => many.get(path(many)),
        ),
      )
    const results: LongListResult[] = []
    for (const [i, { list, read }] of lists.entries()) {
      const store = await compareSizes(
        () => read(few),
        () => read(many),
      )
      results.push({ engine: few.database.engine, list, http: overHttp[i] ?? store, store })
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
  get(path: string): Promise<unknown>
  stop(): Promise<void>
}

interface List {
  list: string
  path(filled: Filled): string
  read(filled: Filled): Promise<unknown>
}

function executionList(list: string, { ofWorkflow = false, status, offset = () => 0 }: ExecutionList): List {
  return {
    list,
    path(filled) {
      const query = { ...(ofWorkflow && { workflowId: filled.workflowId }), ...(status && { status }) }
      return `/workflows/executions?${new URLSearchParams({ ...query, offset: String(offset(filled)) })}`
    },
    read(filled) {
      const filter = { ...(ofWorkflow && { workflowId: filled.workflowId }), ...(status && { status }) }
      const page = { limit: 20, offset: offset(filled) }
      return filled.database.stores.executions.list(filled.accountId, page, filter)
    },
  }
}

interface ExecutionList {
  ofWorkflow?: boolean
  status?: 'failed'
  offset?: (filled: Filled) => number
}

const lists: List[] = [
  executionList('executions, first page', {}),
  executionList('executions of a workflow', { ofWorkflow: true }),
  executionList('executions that failed', { status: 'failed' }),
  executionList('executions of a workflow that failed', { ofWorkflow: true, status: 'failed' }),
  executionList('executions, from the 900th', { offset: () => 900 }),
  executionList('executions, from the middle', { offset: ({ rows }) => rows / 2 }),
  {
    list: 'images, first page',
    path: () => '/storage/images?',
    read: ({ database, accountId }) => database.stores.images.list(accountId, { limit: 20, offset: 0 }, {}),
  },
  {
    list: 'images of a project',
    path: ({ projectId }) => `/storage/images?projectId=${projectId}`,
    read: ({ database, accountId, projectId }) =>
      database.stores.images.list(accountId, { limit: 20, offset: 0 }, { projectId }),
  },
]

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
    get: (path) => send({ url: `${service.url}/v1${path}&limit=20`, key: account.key }),
    async stop() {
      await service.stop()
      await database.close()
    },
  }
}

const workflowCount = 5

/**
 * This number of executions and of images, one every ten milliseconds until now. One in 7 failed; one image in 10 is in a
 * project.
 */
async function fill(
  { kysely: db, engine }: Database,
  { accountId, projectId, rows }: { accountId: string; projectId: string; rows: number },
): Promise<void> {
  const [account, project] = [sql.lit(accountId), sql.lit(projectId)]
  const numbers = (count: number) =>
    sql`with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${sql.lit(count)})`
  const start = sql.lit(Date.now() - rows * 10)
  await sql`${numbers(workflowCount)}
    insert into workflows (id, account_id, project_id, name, description, version, created_at, updated_at)
    select 'wf_bench_' || i, ${account}, ${project}, 'Workflow ' || i, '', 1, ${start} + i, ${start} + i from numbers`.execute(
    db,
  )
  await sql`${numbers(workflowCount)}
    insert into workflow_versions (workflow_id, version, created_at, document)
    select 'wf_bench_' || i, 1, ${start} + i, '{}' from numbers`.execute(db)
  await sql`${numbers(rows)}
    insert into executions (id, account_id, workflow_id, workflow_version, parameters, status, attempt, output, error,
      created_at, started_at, completed_at, steps)
    select 'exec_' || (100000000 + i), ${account}, 'wf_bench_' || (i % ${sql.lit(workflowCount)} + 1), 1, ${sql.lit(parameters)},
      case when i % 7 = 0 then 'failed' else 'completed' end, 1, case when i % 7 = 0 then null else ${sql.lit(output)} end,
      case when i % 7 = 0 then ${sql.lit(error)} else null end,
      ${start} + i * 10, ${start} + i * 10 + 4, ${start} + i * 10 + 90, ${sql.lit(steps)} from numbers`.execute(db)
  await sql`${numbers(rows)}
    insert into images (id, account_id, project_id, name, format, size, width, height, sha256, execution_id, created_at)
    select 'img_' || (100000000 + i), ${account}, case when i % 10 = 0 then ${project} else null end, 'Card ' || i || '.webp', 'webp',
      40000, 1200, 630, 'hash ' || i, 'exec_' || (100000000 + i), ${start} + i * 10 from numbers`.execute(db)
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
    for (let i = 0; i < callsOfRound; i += 1) {
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
