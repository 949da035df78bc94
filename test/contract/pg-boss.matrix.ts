import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemClock } from '../../src/domain/clock.ts'
import type { ExecutionNotice } from '../../src/domain/execution.ts'
import { type Database, openDatabase } from '../../src/storage/database/open.ts'
import { createInProcessNotices } from '../../src/storage/queue/in-process-notices.ts'
import { createPgBossQueue } from '../../src/storage/queue/pg-boss.ts'
import { createPostgresNotices } from '../../src/storage/queue/postgres-notices.ts'
import { newDatabaseOn, startPostgres } from '../harness/postgres.ts'
import { stays, until } from '../harness/wait.ts'
import { noticesContract } from './notices.ts'
import { attemptsMax, queueContract } from './queue.ts'
import { execution, lost, success, tenant } from './records.ts'

const given = process.env.TINTYPE_TEST_POSTGRES
const server = given ? undefined : await startPostgres({ durable: false })
after(() => server?.remove())
const newDatabase = () => (server ? server.newDatabase() : newDatabaseOn(given ?? ''))
const boundsOf = () => ({ attemptsMax, error: lost })

/** What a process has. */
async function openProcess(url: string) {
  let database: Database
  const queue = createPgBossQueue({
    url,
    executionSecondsMax: 600,
    exclusively: (name, work) => database.exclusively(name, work),
    onError: () => {},
  })
  database = await openDatabase({ url, connectionsMax: 5, enqueue: queue.enqueue })
  const { executions } = database.stores
  const notices = createInProcessNotices({ onError: () => {} })
  const newQueue = () => queue.worker({ executions, notices, clock: systemClock, boundsOf })
  async function close() {
    await queue.close()
    await database.close()
  }
  return { stores: database.stores, executions, notices, newQueue, queue, close }
}

queueContract('of pg-boss', async () => openProcess(await newDatabase()))

test('processes that start at the same time make one queue, and each of them can queue', async (t) => {
  const url = await newDatabase()
  const processes = await Promise.all(Array.from({ length: 4 }, () => openProcess(url)))
  t.after(() => Promise.all(processes.map(({ close }) => close())))
  await Promise.all(processes.map(({ queue }) => queue.check()))
  const [first] = processes
  assert.ok(first)
  const { workflow } = await tenant(first.stores)
  await Promise.all(processes.map(({ executions }) => executions.create(execution(workflow))))
  let ended = 0
  const worker = await first.newQueue().work({
    atOnce: 2,
    async run(each) {
      await first.executions.complete(each.id, each.attempt, success(each))
      ended++
      return 'ended'
    },
    onError: (error) => assert.fail(error as Error),
  })
  await until('all', async () => ended === processes.length || undefined)
  await worker.stop()
})

test('an execution whose record came without the queue is found and run', async (t) => {
  const url = await newDatabase()
  const { executions, stores, newQueue, close } = await openProcess(url)
  t.after(close)
  const { workflow, account } = await tenant(stores)
  const restored = await openDatabase({ url, connectionsMax: 2 })
  t.after(() => restored.close())
  const made = execution(workflow, { createdAt: 1 })
  await restored.stores.executions.create(made)
  const worker = await newQueue().work({
    atOnce: 1,
    async run(each) {
      await executions.complete(each.id, each.attempt, success(each))
      return 'ended'
    },
    onError: (error) => assert.fail(error as Error),
  })
  await until('its end', async () => (await executions.find(account.id, made.id))?.status === 'completed' || undefined)
  await worker.stop()
})

noticesContract('over PostgreSQL, within one process', async (t) => {
  const errors: unknown[] = []
  const notices = await createPostgresNotices(await newDatabase(), { onError: (error) => errors.push(error) })
  t.after(() => notices.close())
  return { notices, errors, settle: async () => {} }
})

test('notices of one process reach every other in the order sent, and itself once', async (t) => {
  const url = await newDatabase()
  const processes = await Promise.all(
    Array.from({ length: 3 }, () => createPostgresNotices(url, { onError: () => {} })),
  )
  t.after(() => Promise.all(processes.map((each) => each.close())))
  const heard = processes.map((each) => {
    const list: ExecutionNotice[] = []
    each.listen((notice) => list.push(notice))
    return list
  })
  const sent: ExecutionNotice[] = Array.from({ length: 20 }, (_, i) => ({
    kind: i % 2 === 0 ? 'ended' : 'cancelled',
    executionId: `exec_${i}`,
  }))
  for (const notice of sent) processes[0]?.send(notice)
  await until('all', async () => heard.every((each) => each.length >= sent.length) || undefined)
  await stays('no notice comes twice', () => heard.every((each) => each.length === sent.length), 5)
  assert.deepEqual(heard, [sent, sent, sent])
})

test('a connection for notices that breaks comes back, says that some may be missed, and sends what was not sent', async (t) => {
  const url = await newDatabase()
  const errors: unknown[] = []
  const [one, other] = await Promise.all([
    createPostgresNotices(url, { onError: (error) => errors.push(error) }),
    createPostgresNotices(url, { onError: (error) => errors.push(error) }),
  ])
  t.after(() => Promise.all([one.close(), other.close()]))
  const heard: ExecutionNotice[] = []
  other.listen((notice) => heard.push(notice))
  const database = await openDatabase({ url })
  t.after(() => database.close())
  const { sql } = await import('kysely')
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tintype notices'
    and datname = current_database()`.execute(database.kysely)
  one.send({ kind: 'ended', executionId: 'exec_1' })
  await until('the news that some were missed', async () => heard.some(({ kind }) => kind === 'missed') || undefined)
  await until('a notice after it', async () => {
    one.send({ kind: 'cancelled', executionId: 'exec_2' })
    return heard.some(({ kind }) => kind === 'cancelled') || undefined
  })
  assert.ok(errors.length >= 2)
})
