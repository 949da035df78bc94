import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { systemClock } from '../../src/domain/clock.ts'
import type { Execution } from '../../src/domain/executions/execution.ts'
import type { ExecutionNotice } from '../../src/domain/executions/execution-notice.ts'
import { openDatabase } from '../../src/storage/database/open.ts'
import { rawQuery } from '../../src/storage/database/sql/raw-query.ts'
import { createExecutionQueue } from '../../src/storage/queue/claims.ts'
import { createInProcessNotices } from '../../src/storage/queue/in-process-notices.ts'
import { createLeases } from '../../src/storage/queue/leases.ts'
import { createPostgresNotices } from '../../src/storage/queue/postgres-notices.ts'
import { newDatabaseOn, startPostgres } from '../harness/postgres.ts'
import { remains, until } from '../harness/wait.ts'
import { noticesContract } from './notices.ts'
import { attemptsMax, queueContract } from './queue.ts'
import { execution, ids, lost, tenant } from './records.ts'

const serverUrl = process.env.TINTYPE_TEST_POSTGRES
const server = serverUrl ? undefined : await startPostgres({ durable: false })
after(() => server?.remove())
const newDatabase = () => (server ? server.newDatabase() : newDatabaseOn(serverUrl ?? ''))
const boundsOf = () => ({ attemptsMax, error: lost })

let count = 0

/** The parts of one process. */
async function openProcess(url: string) {
  const database = await openDatabase({ url, connectionsMax: 5 })
  const { executions } = database.stores
  const notices = createInProcessNotices({ onError: () => {} })
  const newQueue = () => {
    count += 1
    const leases = createLeases(rawQuery(database.kysely), `wrk_${count}`)
    return createExecutionQueue({ executions, notices, clock: systemClock, boundsOf, secondsMax: 600, leases })
  }
  return { ...database, executions, notices, newQueue }
}

queueContract('of many processes', async () => openProcess(await newDatabase()))

/** A process whose workers start executions and never end them. */
async function openHolding(t: TestContext, url: string) {
  const opened = await openProcess(url)
  const stops: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const stop of stops) await stop()
    await opened.close()
  })
  const startHolding = () => start(opened, stops)
  return { ...opened, startHolding }
}

async function start({ newQueue }: Awaited<ReturnType<typeof openProcess>>, stops: (() => Promise<void>)[]) {
  const finished = Promise.withResolvers<'ended'>()
  const started: Execution[] = []
  const worker = await newQueue().work({
    atOnce: 2,
    run(claimed) {
      started.push(claimed)
      return finished.promise
    },
    onError: (error) => assert.fail(error as Error),
  })
  stops.push(async () => {
    finished.resolve('ended')
    await worker.stop()
  })
  return { started, finished, worker }
}

test('executions of a process whose lease has run out go to another process as the next attempt', async (t) => {
  const { executions, kysely, stores, startHolding } = await openHolding(t, await newDatabase())
  const { workflow } = await tenant(stores)
  const record = execution(workflow)
  await executions.create(record)
  const lostOne = await executions.claimNext(20, { worker: 'wrk_lost' })
  assert.equal(lostOne?.id, record.id)
  const setLastSeen = (agoSeconds: number) =>
    sql`insert into workers values ('wrk_lost', (extract(epoch from clock_timestamp()) * 1000)::bigint - ${agoSeconds * 1000})
      on conflict (id) do update set seen_at = excluded.seen_at`.execute(kysely)
  await setLastSeen(5)
  const { started } = await startHolding()
  const other = execution(workflow)
  await executions.create(other)
  await until('the other', async () => started.length > 0 || undefined)
  assert.deepEqual(ids(started), [other.id])
  await setLastSeen(11)
  await until('the lost one', async () => started.length > 1 || undefined)
  assert.deepEqual([started[1]?.id, started[1]?.attempt], [record.id, 2])
})

test('executions that a process gave up go to another without waiting for its lease', async (t) => {
  const { executions, stores, startHolding } = await openHolding(t, await newDatabase())
  const { workflow } = await tenant(stores)
  const record = execution(workflow)
  await executions.create(record)
  const first = await startHolding()
  await until('the start', async () => first.started.length > 0 || undefined)
  // It ends without a result, as if the store could not be reached.
  first.finished.resolve('ended')
  await first.worker.stop()
  const second = await startHolding()
  await until('the next attempt', async () => second.started.length > 0 || undefined)
  assert.deepEqual([second.started[0]?.id, second.started[0]?.attempt], [record.id, 2])
})

test('executions that were claimed for a process that never got them come to it as the next attempt', async (t) => {
  const { executions, stores, startHolding } = await openHolding(t, await newDatabase())
  const { workflow } = await tenant(stores)
  const { started } = await startHolding()
  const record = execution(workflow)
  await executions.create(record)
  await executions.claimNext(20, { worker: `wrk_${count}` })
  await until('the next attempt', async () => started.length > 0 || undefined)
  assert.deepEqual([started[0]?.id, started[0]?.attempt], [record.id, 2])
})

test('executions that another process recorded, or that were restored, are found without a notice', async (t) => {
  const url = await newDatabase()
  const { stores, startHolding } = await openHolding(t, url)
  const { workflow } = await tenant(stores)
  const { started } = await startHolding()
  const restored = await openDatabase({ url, connectionsMax: 2 })
  t.after(() => restored.close())
  const record = execution(workflow, { createdAt: 1 })
  await restored.stores.executions.create(record)
  await until('its start', async () => started.length > 0 || undefined)
  assert.deepEqual(ids(started), [record.id])
})

noticesContract('over PostgreSQL, within one process', async (t) => {
  const errors: unknown[] = []
  const notices = await createPostgresNotices(await newDatabase(), { onError: (error) => errors.push(error) })
  t.after(() => notices.close())
  return { notices, errors, flush: async () => {} }
})

test('notices of one process reach every other process in order, and itself once', async (t) => {
  const url = await newDatabase()
  const processes = await Promise.all(
    Array.from({ length: 3 }, () => createPostgresNotices(url, { onError: () => {} })),
  )
  t.after(() => Promise.all(processes.map((each) => each.close())))
  const received = processes.map((child) => {
    const list: ExecutionNotice[] = []
    child.listen((notice) => list.push(notice))
    return list
  })
  const sent: ExecutionNotice[] = Array.from({ length: 20 }, (_, i) => ({
    kind: i % 2 === 0 ? 'ended' : 'cancelled',
    executionId: `exec_${i}`,
  }))
  for (const notice of sent) processes[0]?.send(notice)
  await until('all', async () => received.every((each) => each.length >= sent.length) || undefined)
  await remains('no notice is delivered twice', () => received.every((each) => each.length === sent.length), 5)
  assert.deepEqual(received, [sent, sent, sent])
})

test('a broken connection for notices is opened again, reports that some may be missing, and sends unsent ones', async (t) => {
  const url = await newDatabase()
  const errors: unknown[] = []
  const [one, other] = await Promise.all([
    createPostgresNotices(url, { onError: (error) => errors.push(error) }),
    createPostgresNotices(url, { onError: (error) => errors.push(error) }),
  ])
  t.after(() => Promise.all([one.close(), other.close()]))
  const received: ExecutionNotice[] = []
  other.listen((notice) => received.push(notice))
  const database = await openDatabase({ url })
  t.after(() => database.close())
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tintype notices'
    and datname = current_database()`.execute(database.kysely)
  one.send({ kind: 'ended', executionId: 'exec_1' })
  await until('the report of missing notices', async () => received.some(({ kind }) => kind === 'missed') || undefined)
  await until('a notice after it', async () => {
    one.send({ kind: 'cancelled', executionId: 'exec_2' })
    return received.some(({ kind }) => kind === 'cancelled') || undefined
  })
  assert.ok(errors.length >= 2)
})
