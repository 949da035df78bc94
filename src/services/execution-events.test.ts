import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { execution, refused, step, success, tenant } from '../../test/contract/records.ts'
import { scratchFolder } from '../../test/contract/scratch.ts'
import { until } from '../../test/harness/wait.ts'
import type { Execution } from '../domain/execution.ts'
import { Fault } from '../errors.ts'
import { openDatabase } from '../storage/database/open.ts'
import { createInProcessNotices } from '../storage/queue/in-process-notices.ts'
import { createExecutionEvents, type ExecutionEvent } from './execution-events.ts'

type Options = Partial<Parameters<typeof createExecutionEvents>[0]>

async function begin(t: TestContext, options: Options = {}) {
  const { stores, close, kysely } = await openDatabase({ file: join(scratchFolder(), 'tintype.db') })
  t.after(close)
  const notices = createInProcessNotices({ onError: (error) => assert.fail(error as Error) })
  const events = createExecutionEvents({
    executions: stores.executions,
    steps: async (_, steps) => steps,
    notices,
    streamsMax: 10,
    lookMs: 60_000,
    ...options,
  })
  const { workflow } = await tenant(stores)
  const made = execution(workflow)
  await stores.executions.create(made)
  const gone = new AbortController()
  const follow = async (last?: number, of: Pick<Execution, 'id' | 'accountId'> = made) => {
    const at = last === undefined ? undefined : { id: last, path: 'after' }
    return events.follow(of.accountId, of.id, at, gone.signal)
  }
  return { events, executions: stores.executions, kysely, notices, made, gone, follow }
}

/** Its parts, one by one. */
function reader(stream: AsyncIterable<ExecutionEvent[]> | undefined) {
  const parts = (stream ?? assert.fail('there is no stream'))[Symbol.asyncIterator]()
  return {
    next: async () => (await parts.next()).value as ExecutionEvent[] | undefined,
    rest: async () => {
      const all: ExecutionEvent[] = []
      for (let each = await parts.next(); !each.done; each = await parts.next()) all.push(...each.value)
      return all
    },
  }
}

const ids = (events: ExecutionEvent[] = []) => events.map(({ id }) => id)

test('a snapshot comes first, then what happens, each once, until the execution has ended', async (t) => {
  const { executions, notices, made, follow } = await begin(t)
  const { next, rest } = reader(await follow())
  const [first] = (await next()) ?? []
  assert.deepEqual(first, { id: 1, kind: 'snapshot', execution: made, steps: [] })
  await executions.claimNext(20)
  await executions.saveSteps(made.id, 1, [step()])
  notices.send({ kind: 'changed', executionId: made.id })
  const told = (await next()) ?? []
  assert.deepEqual(ids(told), [2, 3])
  assert.deepEqual(told[0]?.kind === 'execution' && [told[0].execution.status, told[0].execution.startedAt], [
    'running',
    20,
  ])
  const result = { ...success(made), changed: [] }
  await executions.complete(made.id, 1, result)
  notices.send({ kind: 'ended', executionId: made.id })
  const [last, ...more] = await rest()
  assert.deepEqual(last, {
    id: 4,
    kind: 'execution',
    at: result.completedAt,
    execution: await executions.find(made.accountId, made.id),
  })
  assert.deepEqual(more, [])
})

test('from each event on, all events past it come, and nothing past the last', async (t) => {
  const { executions, made, follow } = await begin(t)
  await executions.claimNext(20)
  await executions.fail(made.id, 1, { error: refused, steps: [step()], completedAt: 30 })
  for (let last = 0; last < 4; last++) {
    const expected = [1, 2, 3, 4].slice(last)
    assert.deepEqual(ids(await reader(await follow(last)).rest()), expected)
  }
  assert.equal(await follow(4), undefined)
  assert.deepEqual(ids(await reader(await follow()).rest()), [4])
  await assert.rejects(follow(5), { code: 'invalid_request' })
})

test('an event of the past tells nothing of what came later', async (t) => {
  const { executions, made, follow } = await begin(t)
  await executions.claimNext(20)
  await executions.fail(made.id, 1, { error: refused, steps: [], completedAt: 30 })
  const all = await reader(await follow(0)).rest()
  const states = all.map((event) => event.kind === 'execution' && [event.execution.status, event.execution.error])
  assert.deepEqual(states, [
    ['pending', null],
    ['running', null],
    ['failed', refused],
  ])
})

test('one that is older than logs has a snapshot, and no events', async (t) => {
  const { executions, kysely, made, follow } = await begin(t)
  await executions.cancel(made.id, { error: refused, completedAt: 30 })
  await kysely.updateTable('executions').set({ events: '' }).execute()
  const all = await reader(await follow()).rest()
  assert.deepEqual([ids(all), all[0]?.kind], [[0], 'snapshot'])
  assert.equal(await follow(0), undefined)
})

test('what no notice tells of is found all the same', async (t) => {
  const { executions, made, follow } = await begin(t, { lookMs: 5 })
  const { next } = reader(await follow())
  await next()
  const waiting = next()
  await executions.claimNext(20)
  assert.deepEqual(ids(await waiting), [2])
  assert.equal(made.status, 'pending')
})

test('a log that cannot be read for a while is read when it can be', async (t) => {
  let isAway = false
  const opened = await begin(t, { lookMs: 5 })
  const { executions } = opened
  const { made } = opened
  const notices = createInProcessNotices({ onError: (error) => assert.fail(error as Error) })
  let refusals = 0
  const readLog: typeof executions.readLog = (...asked) => {
    if (!isAway) return executions.readLog(...asked)
    refusals += 1
    return Promise.reject(new Error('away'))
  }
  const events = createExecutionEvents({
    executions: { ...executions, readLog },
    steps: async (_, steps) => steps,
    notices,
    streamsMax: 1,
    lookMs: 5,
  })
  const { next } = reader(await events.follow(made.accountId, made.id, undefined, opened.gone.signal))
  await next()
  isAway = true
  const waiting = next()
  await executions.claimNext(20)
  await until('several refusals', () => refusals > 2 || undefined)
  isAway = false
  assert.deepEqual(ids(await waiting), [2])
})

test('where nothing happens, something is sent now and then', async (t) => {
  const { follow } = await begin(t, { lookMs: 5, keepAliveMs: 20 })
  const { next } = reader(await follow())
  assert.deepEqual(ids(await next()), [1])
  assert.deepEqual(await next(), [])
  assert.deepEqual(await next(), [])
})

test('a stream ends when it was open for long, and when all are closed', async (t) => {
  const short = await begin(t, { lookMs: 5, openMsMax: 20 })
  assert.deepEqual(ids(await reader(await short.follow()).rest()), [1])
  const { events, follow } = await begin(t)
  const { next, rest } = reader(await follow())
  await next()
  const ending = rest()
  events.close()
  assert.deepEqual(await ending, [])
  await assert.rejects(follow(), { code: 'unavailable' })
})

test('an account has so many streams at once; the end of one makes room, however it ends', async (t) => {
  const { executions, gone, made, follow } = await begin(t, { streamsMax: 2, lookMs: 5 })
  const first = await follow()
  const second = reader(await follow(0))
  await second.next()
  await assert.rejects(follow(), (error) => {
    assert.ok(error instanceof Fault)
    assert.equal(error.code, 'rate_limited')
    assert.deepEqual([error.details.limit, Number(error.details.retryAfterSeconds) > 0], [2, true])
    return true
  })
  // Nobody began to read the first one.
  assert.ok(first)
  gone.abort()
  assert.deepEqual(await second.rest(), [])
  await executions.cancel(made.id, { error: refused, completedAt: 30 })
  const listening = new AbortController()
  Object.defineProperty(gone, 'signal', { value: listening.signal })
  for (let i = 0; i < 5; i++) assert.equal((await reader(await follow()).rest()).length, 1)
})

test('whoever takes in nothing holds up nobody else', async (t) => {
  const { executions, notices, made, follow } = await begin(t)
  const slow = reader(await follow())
  const quick = reader(await follow())
  await slow.next()
  await quick.next()
  await executions.claimNext(20)
  notices.send({ kind: 'changed', executionId: made.id })
  assert.deepEqual(ids(await quick.next()), [2])
  await executions.fail(made.id, 1, { error: refused, steps: [], completedAt: 30 })
  notices.send({ kind: 'ended', executionId: made.id })
  assert.deepEqual(ids(await quick.rest()), [3])
  assert.deepEqual(ids(await slow.rest()), [2, 3])
})
