/**
 * Services and workers that are killed, stopped and ended at random under load, with restarts of the database. Afterwards
 * every response to a client must be true. TINTYPE_TEST_CHAOS_SECONDS: the duration. TINTYPE_TEST_SEED: repeats a
 * run as far as possible.
 */
import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openBlobs } from '../../src/app/blobs.ts'
import { readConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/domain/clock.ts'
import type { BlobStore } from '../../src/domain/images/image.ts'
import { limits } from '../../src/limits.ts'
import { createAccounts } from '../../src/services/accounts/accounts.ts'
import { createKeys } from '../../src/services/accounts/keys.ts'
import { type Database, openDatabase } from '../../src/storage/database/open.ts'
import { sendRequest } from '../harness/http.ts'
import { freePort } from '../harness/port.ts'
import { startPostgres } from '../harness/postgres.ts'
import { inherited, type RunningProcess, startProcess } from '../harness/process.ts'
import { startSourceHost } from '../harness/source-host.ts'
import { remains, until } from '../harness/wait.ts'
import { type Clients, startClients, verifyObserved } from './clients.ts'
import { checkInvariants } from './invariants.ts'
import { createRandom, type Random } from './random.ts'
import { sweepAll } from './sweep-all.ts'

const seconds = Number(process.env.TINTYPE_TEST_CHAOS_SECONDS ?? 15)
const seedText = process.env.TINTYPE_TEST_SEED
/** The delay before a supervisor restarts a process. */
const startAgainMs = 500
const needsS3 = process.env.TINTYPE_TEST_S3 === undefined ? 'TINTYPE_TEST_S3 is not set' : false

/** Time for all accepted executions to end after the last kill: two takeovers, and the work itself. */
const quietSeconds = 60

test('two services and three workers on PostgreSQL and files lose nothing when any of them die', (t) =>
  manyProcesses(t, 'files'))

test('two services and three workers on PostgreSQL and S3 lose nothing when any of them die', { skip: needsS3 }, (t) =>
  manyProcesses(t, 's3'),
)

test('one process on SQLite and files loses nothing when it is killed repeatedly', async (t) => {
  const random = seeded(t)
  const ends = endsOf(t)
  const dir = scratch(ends)
  const lines = linesOf(ends)
  const port = await freePort()
  const env = { ...settings(dir), PORT: `${port}`, DATA_DIR: dir }
  const database = await openDatabase({ file: join(dir, 'tintype.db') })
  const blobs = await openBlobs(readConfig(env))
  ends.push(() => database.close())
  const service = createPart('service', dir, env, ['serve'], lines, `http://127.0.0.1:${port}`)
  ends.push(() => service.end())
  await service.start()
  const clients = await newClients(ends, database, random, [service.origin])
  const endMs = performance.now() + seconds * 1000
  let kills = 0
  while (performance.now() < endMs) {
    await pause(random.below(2_500))
    await service.kill()
    kills += 1
    await service.start()
  }
  t.diagnostic(`killed ${kills} times`)
  await resolve(t, clients, database, blobs, [service])
})

async function manyProcesses(t: TestContext, store: 'files' | 's3'): Promise<void> {
  const random = seeded(t)
  const ends = endsOf(t)
  const dir = scratch(ends)
  const lines = linesOf(ends)
  const postgres = await startPostgres()
  ends.push(() => postgres.remove())
  const storageUrl = store === 's3' ? new URL(process.env.TINTYPE_TEST_S3 ?? '') : new URL(`file://${dir}/blobs`)
  if (store === 's3') storageUrl.pathname = `/${randomUUID()}`
  const env = { ...settings(dir), DATABASE_URL: await postgres.newDatabase(), STORAGE_URL: storageUrl.href }
  const database = await openDatabase({ url: env.DATABASE_URL, connectionsMax: 4 })
  ends.push(() => database.close())
  const blobs = await openBlobs(readConfig({ ...env, DATA_DIR: join(dir, 'test') }))

  const ports = await Promise.all([freePort(), freePort()])
  const apis = await Promise.all(
    ports.map(async (port, i) => {
      const name = `api-${i + 1}`
      const environment = { ...env, PORT: `${port}`, PUBLIC_URL: `http://127.0.0.1:${ports[0]}` }
      return createPart(name, dir, environment, ['serve', '--no-worker'], lines, `http://127.0.0.1:${port}`)
    }),
  )
  const workers = ['worker-1', 'worker-2', 'worker-3'].map((name) => createPart(name, dir, env, ['worker'], lines, ''))
  const parts = [...apis, ...workers]
  ends.push(() => Promise.all(parts.map((each) => each.end())))
  await Promise.all(parts.map((each) => each.start()))
  const origins = apis.map(({ origin }) => origin)
  const clients = await newClients(ends, database, random, origins)

  const endMs = performance.now() + seconds * 1000
  const restartMs = performance.now() + random.between(0.2, 0.8) * seconds * 1000
  const did = new Map<string, number>()
  async function disturb(part: Part): Promise<void> {
    while (performance.now() < endMs) {
      await pause(random.between(500, 6_000))
      const how = random.pick(['kill', 'kill', 'stand', 'stand longer', 'term'] as const)
      did.set(how, (did.get(how) ?? 0) + 1)
      if (how === 'stand' || how === 'stand longer') {
        part.signal('SIGSTOP')
        // Longer than its executions wait for it.
        await pause(how === 'stand' ? random.below(3_000) : random.between(10_000, 15_000))
        part.signal('SIGCONT')
        continue
      }
      if (how === 'kill') await part.kill()
      else await part.term()
      await pause(random.below(1_000))
      await part.start()
    }
  }
  async function restartDatabase(): Promise<void> {
    await pause(restartMs - performance.now())
    if (random.below(2) === 0) return postgres.restart()
    await postgres.kill()
    await pause(random.below(2_000))
    await postgres.start()
  }
  await Promise.all([...parts.map(disturb), restartDatabase()])
  t.diagnostic([...did].map(([how, count]) => `${how}: ${count}`).join(', '))
  await resolve(t, clients, database, blobs, parts)
}

/** Stops the kills and starts all parts. */
async function resolve(
  t: TestContext,
  clients: Clients,
  database: Database,
  blobs: BlobStore,
  parts: Part[],
): Promise<void> {
  await clients.stop()
  const { observed } = clients
  t.diagnostic(
    [...observed.responses]
      .sort()
      .map(([kind, count]) => `${kind} x ${count}`)
      .join('\n'),
  )
  const unended = () =>
    database.kysely
      .selectFrom('executions')
      .select(['id', 'status', 'attempt', 'started_at'])
      .where('status', 'in', ['pending', 'running'])
      .execute()
  const startMs = performance.now()
  await until('all executions to end', async () => (await unended()).length === 0 || undefined, quietSeconds).catch(
    async (error) => assert.fail(`${error.message}: ${JSON.stringify(await unended())}`),
  )
  t.diagnostic(
    `${observed.accepted.size} executions, the last ended ${Math.round(performance.now() - startMs)} ms later`,
  )
  const failures = await database.kysely
    .selectFrom('executions')
    .select(['id', 'error', 'attempt', 'attempts_released'])
    .where('status', '=', 'failed')
    .execute()
  const reasons = Object.groupBy(failures, ({ error }) => JSON.parse(error ?? '{}').details?.reason ?? 'none')
  t.diagnostic(`failed: ${JSON.stringify(Object.entries(reasons).map(([reason, all]) => [reason, all?.length]))}`)
  assert.equal(reasons.internal, undefined, reasons.internal?.[0]?.error ?? '')
  for (const { id, attempt, attempts_released } of reasons.worker_lost ?? [])
    assert.equal(attempt - attempts_released, limits.executionAttemptsMax, `${id} was lost before its last attempt`)
  await verifyObserved(clients)
  // Late requests still get their response.
  await remains('all parts run', () => parts.every((each) => each.isRunning()), 100)
  await verifyObserved(clients)
  for (const each of parts) assert.ok(each.isRunning(), `${each.name} has ended by itself`)
  // No process stores or evicts step results during the check.
  await Promise.all(parts.map((each) => each.end()))
  await sweepAll(database, blobs)
  const { accepted, deleted, stored } = observed
  await checkInvariants(database, blobs, { accepted, deleted, stored, swept: true })
}

async function newClients(ends: Ends, database: Database, random: Random, origins: string[]): Promise<Clients> {
  const { accounts, executions, keys, projects } = database.stores
  const clock = systemClock
  const account = await createAccounts({ accounts, projects, executions, clock }).create({
    name: 'Chaos',
    plan: 'enterprise',
    rateLimit: 1_000_000,
  })
  const { text: key } = await createKeys({ keys, accounts, clock }).create(account.id)
  const outside = await startSourceHost()
  ends.push(() => outside.close())
  const clients = await startClients({ origins, key, count: 10, random, outside })
  ends.push(() => clients.abandon())
  return clients
}

interface Part {
  name: string
  origin: string
  /** Resolves when it works. Retries while the database is unavailable. */
  start(): Promise<void>
  signal(name: NodeJS.Signals): void
  kill(): Promise<void>
  term(): Promise<void>
  isRunning(): boolean
  end(): Promise<void>
}

function createPart(
  name: string,
  dir: string,
  env: Record<string, string>,
  args: string[],
  lines: string[],
  origin: string,
): Part {
  let running: RunningProcess | undefined
  let isOver = false

  async function works(started: RunningProcess): Promise<boolean> {
    if (origin === '') return started.printed().some((line) => line.includes('is working: '))
    const response = await sendRequest(origin, '/health/ready', {
      keepAlive: false,
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined)
    return response?.status === 200
  }

  return {
    name,
    origin,
    async start() {
      for (;;) {
        if (isOver) return
        const started = startProcess(args, { cwd: dir, env: { DATA_DIR: join(dir, name), ...env } }, lines)
        running = started
        const isUp = await until(`${name} to work`, async () =>
          started.isRunning() ? (await works(started)) || undefined : false,
        )
        if (isUp) return
        await pause(startAgainMs)
      }
    },
    signal: (signal) => running?.signal(signal),
    async kill() {
      await running?.kill()
    },
    async term() {
      running?.signal('SIGTERM')
      await running?.ended()
    },
    isRunning: () => running?.isRunning() ?? false,
    async end() {
      isOver = true
      await running?.kill()
    },
  }
}

function settings(dir: string): Record<string, string> {
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env
  return {
    ...inherited(),
    AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY,
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_CONNECTIONS_MAX: '4',
    EXECUTIONS_RUNNING_MAX: '3',
    FETCH_ALLOW: 'localhost',
    SYNC_WAIT_SECONDS: '8',
    SHUTDOWN_GRACE_SECONDS: '1',
    LOG_LEVEL: 'warn',
    // Small enough that step results are evicted.
    CACHE_MAX_BYTES: '4000000',
    NODE_COMPILE_CACHE: join(dir, 'compiled'),
  }
}

function seeded(t: TestContext): Random {
  const seed = Number(seedText ?? randomInt(2 ** 31))
  t.diagnostic(`TINTYPE_TEST_SEED=${seed}`)
  return createRandom(seed)
}

function scratch(ends: Ends): string {
  const dir = mkdtempSync(join(tmpdir(), 'tintype-chaos-'))
  ends.push(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10 }))
  return dir
}

/** The output of all parts; written to the file in TINTYPE_TEST_LOG. */
function linesOf(ends: Ends): string[] {
  const lines: string[] = []
  const file = process.env.TINTYPE_TEST_LOG
  if (file !== undefined) ends.push(() => appendFileSync(file, lines.join('\n')))
  return lines
}

/** Actions at the end of a test, also after a failure, the last first. */
type Ends = (() => unknown)[]

function endsOf(t: TestContext): Ends {
  const ends: Ends = []
  t.after(async () => {
    for (const end of ends.reverse()) await end()
  })
  return ends
}
