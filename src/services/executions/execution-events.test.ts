import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { execution, refused, step, success, tenant } from '../../../test/contract/records.ts'
import { newSqlite } from '../../../test/harness/sqlite.ts'
import { until } from '../../../test/harness/wait.ts'
import type { Execution } from '../../domain/executions/execution.ts'
import { Fault } from '../../errors.ts'
import { createInProcessNotices } from '../../storage/queue/in-process-notices.ts'
import { createEventStreams } from '../event-streams.ts'
import { createExecutionEvents, type ExecutionEvent } from './execution-events.ts'

type Options = Partial<Parameters<typeof createExecutionEvents>[0]>

async function openSetup(t: TestContext, options: Options = {}) {
  const { stores, kysely } = await newSqlite(t)
  const notices = createInProcessNotices({ onError: (error) => assert.fail(error as Error) })
  const events = createExecutionEvents({
    executions: stores.executions,
    steps: async (_, steps) => steps,
    notices,
    streams: createEventStreams(10),
    onError: (error) => assert.fail(error as Error),
    lookMs: 60_000,
    ...options,
  })
  const { workflow } = await tenant(stores)
  const created = execution(workflow)
  await stores.executions.create(created)
  const disconnected = new AbortController()
  const follow = async (last?: number, of: Pick<Execution, 'id' | 'accountId'> = created) => {
    const at = last === undefined ? undefined : { id: last, path: 'after' }
    return events.follow(of.accountId, of.id, { last: at, signal: disconnected.signal, requestId: 'req_1' })
  }
  return { events, executions: stores.executions, kysely, notices, created, disconnected, follow }
}

/** Its parts, one by one. */
function reader(stream: AsyncIterable<ExecutionEvent[]> | undefined) {
  const parts = (stream ?? assert.fail('there is no stream'))[Symbol.asyncIterator]()
  return {
    next: async () => (await parts.next()).value as ExecutionEvent[] | undefined,
    rest: async () => {
      const all: ExecutionEvent[] = []
      for (let part = await parts.next(); !part.done; part = await parts.next()) all.push(...part.value)
      return all
    },
  }
}

const ids = (events: ExecutionEvent[] = []) => events.map(({ id }) => id)

test('a snapshot comes first, then each event once, until the execution has ended', async (t) => {
  const { executions, notices, created, follow } = await openSetup(t)
  const { next, rest } = reader(await follow())
  const [first] = (await next()) ?? []
  assert.deepEqual(first, { id: 1, kind: 'snapshot', execution: created, steps: [] })
  await executions.claimNext(20)
  await executions.saveSteps(created.id, 1, [step()])
  notices.send({ kind: 'changed', executionId: created.id })
  const received = (await next()) ?? []
  assert.deepEqual(ids(received), [2, 3])
  assert.deepEqual(
    received[0]?.kind === 'execution' && [received[0].execution.status, received[0].execution.startedAt],
    ['running', 20],
  )
  const result = { ...success(created), changed: [] }
  await executions.complete(created.id, 1, result)
  notices.send({ kind: 'ended', executionId: created.id })
  const [last, ...more] = await rest()
  assert.deepEqual(last, {
    id: 4,
    kind: 'execution',
    at: result.completedAt,
    execution: await executions.find(created.accountId, created.id),
  })
  assert.deepEqual(more, [])
})

test('a stream after an event has all later events, and none after the last', async (t) => {
  const { executions, created, follow } = await openSetup(t)
  await executions.claimNext(20)
  await executions.fail(created.id, 1, { error: refused, steps: [step()], completedAt: 30 })
  for (let last = 0; last < 4; last++) {
    const expected = [1, 2, 3, 4].slice(last)
    assert.deepEqual(ids(await reader(await follow(last)).rest()), expected)
  }
  assert.equal(await follow(4), undefined)
  assert.deepEqual(ids(await reader(await follow()).rest()), [4])
  await assert.rejects(follow(5), { code: 'invalid_request' })
})

test('an earlier event contains nothing of later ones', async (t) => {
  const { executions, created, follow } = await openSetup(t)
  await executions.claimNext(20)
  await executions.fail(created.id, 1, { error: refused, steps: [], completedAt: 30 })
  const all = await reader(await follow(0)).rest()
  const states = all.map((event) => event.kind === 'execution' && [event.execution.status, event.execution.error])
  assert.deepEqual(states, [
    ['pending', null],
    ['running', null],
    ['failed', refused],
  ])
})

test('a snapshot replaces removed events, and nothing comes after the last event', async (t) => {
  const { executions, kysely, created, follow } = await openSetup(t)
  await executions.claimNext(20)
  await executions.fail(created.id, 1, { error: refused, steps: [step()], completedAt: 30 })
  await kysely.deleteFrom('execution_events').where('sequence', '<=', 2).execute()
  assert.deepEqual(
    (await reader(await follow(1)).rest()).map(({ kind }) => kind),
    ['snapshot'],
  )
  assert.deepEqual(
    (await reader(await follow(2)).rest()).map(({ kind }) => kind),
    ['step', 'execution'],
  )
  await kysely.deleteFrom('execution_events').execute()
  const execution = await executions.find(created.accountId, created.id)
  for (const last of [undefined, 0, 1, 3]) {
    const all = await reader(await follow(last)).rest()
    assert.deepEqual(all, [{ id: 4, kind: 'snapshot', execution, steps: [step()] }])
  }
  assert.equal(await follow(4), undefined)
  await assert.rejects(follow(5), { code: 'invalid_request' })
})

test('a client that reads slowly gets a snapshot if its events are removed meanwhile', async (t) => {
  const { executions, kysely, notices, created, follow } = await openSetup(t)
  const { next, rest } = reader(await follow())
  await next()
  await executions.cancel(created.id, { error: refused, completedAt: 30 })
  await kysely.deleteFrom('execution_events').execute()
  notices.send({ kind: 'ended', executionId: created.id })
  assert.deepEqual(
    (await rest()).map(({ id, kind }) => [id, kind]),
    [[2, 'snapshot']],
  )
})

test('a stream continues after a snapshot that replaced events', async (t) => {
  const { executions, kysely, notices, created, follow } = await openSetup(t)
  // As after an import: the execution waits, and its events stayed behind.
  await kysely.deleteFrom('execution_events').execute()
  await kysely.updateTable('executions').set({ event_count: 3 }).execute()
  const { next, rest } = reader(await follow(2))
  assert.deepEqual(await next(), [{ id: 3, kind: 'snapshot', execution: created, steps: [] }])
  await executions.cancel(created.id, { error: refused, completedAt: 30 })
  notices.send({ kind: 'ended', executionId: created.id })
  assert.deepEqual(ids(await rest()), [4])
})

test('finds events without a notice', async (t) => {
  const { executions, created, follow } = await openSetup(t, { lookMs: 5 })
  const { next } = reader(await follow())
  await next()
  const waiting = next()
  await executions.claimNext(20)
  assert.deepEqual(ids(await waiting), [2])
  assert.equal(created.status, 'pending')
})

test('reads events later if they are temporarily unavailable, and logs that once', async (t) => {
  let isAway = false
  const opened = await openSetup(t, { lookMs: 5 })
  const { executions } = opened
  const { created } = opened
  const notices = createInProcessNotices({ onError: (error) => assert.fail(error as Error) })
  const away = new Error('away')
  const logged: unknown[] = []
  let refusals = 0
  const readEvents: typeof executions.readEvents = (...args) => {
    if (!isAway) return executions.readEvents(...args)
    refusals += 1
    return Promise.reject(away)
  }
  const events = createExecutionEvents({
    executions: { ...executions, readEvents },
    steps: async (_, steps) => steps,
    notices,
    streams: createEventStreams(1),
    onError: (...all) => logged.push(all),
    lookMs: 5,
  })
  const request = { signal: opened.disconnected.signal, requestId: 'req_1' }
  const { next } = reader(await events.follow(created.accountId, created.id, request))
  await next()
  isAway = true
  const waiting = next()
  await executions.claimNext(20)
  await until('several refusals', () => refusals > 2 || undefined)
  isAway = false
  assert.deepEqual(ids(await waiting), [2])
  assert.deepEqual(logged, [[away, { requestId: 'req_1', executionId: created.id }]])
})

test('sends a comment from time to time if there are no events', async (t) => {
  const { follow } = await openSetup(t, { lookMs: 5, keepAliveMs: 20 })
  const { next } = reader(await follow())
  assert.deepEqual(ids(await next()), [1])
  assert.deepEqual(await next(), [])
  assert.deepEqual(await next(), [])
})

test('a stream ends at its maximum duration, and when all are closed', async (t) => {
  const short = await openSetup(t, { lookMs: 5, openMsMax: 20 })
  assert.deepEqual(ids(await reader(await short.follow()).rest()), [1])
  const { events, follow } = await openSetup(t)
  const { next, rest } = reader(await follow())
  await next()
  const ending = rest()
  events.close()
  assert.deepEqual(await ending, [])
  await assert.rejects(follow(), { code: 'unavailable' })
})

test('an account has a limited number of concurrent streams; the end of one makes room, however it ends', async (t) => {
  const { executions, disconnected, created, follow } = await openSetup(t, {
    streams: createEventStreams(2),
    lookMs: 5,
  })
  const first = await follow()
  const second = reader(await follow(0))
  await second.next()
  await assert.rejects(follow(), (error) => {
    assert.ok(error instanceof Fault)
    assert.equal(error.code, 'rate_limited')
    assert.deepEqual([error.details.limit, Number(error.details.retryAfterSeconds) > 0], [2, true])
    return true
  })
  // No one has started to read the first one.
  assert.ok(first)
  disconnected.abort()
  assert.deepEqual(await second.rest(), [])
  await executions.cancel(created.id, { error: refused, completedAt: 30 })
  const listening = new AbortController()
  Object.defineProperty(disconnected, 'signal', { value: listening.signal })
  for (let i = 0; i < 5; i++) assert.equal((await reader(await follow()).rest()).length, 1)
})

test('a client that does not read delays no other client', async (t) => {
  const { executions, notices, created, follow } = await openSetup(t)
  const slow = reader(await follow())
  const quick = reader(await follow())
  await slow.next()
  await quick.next()
  await executions.claimNext(20)
  notices.send({ kind: 'changed', executionId: created.id })
  assert.deepEqual(ids(await quick.next()), [2])
  await executions.fail(created.id, 1, { error: refused, steps: [], completedAt: 30 })
  notices.send({ kind: 'ended', executionId: created.id })
  assert.deepEqual(ids(await quick.rest()), [3])
  assert.deepEqual(ids(await slow.rest()), [2, 3])
})
