/** Crashes of the executor, on SQLite. See also executor.matrix.ts. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { limits } from '../../src/limits.ts'
import { takeServeLock } from '../../src/storage/database/serve-lock.ts'
import { polls } from '../contract/providers-faults.ts'
import { crash, executorId, executorOf } from '../harness/executor.ts'
import { waitUntilEnded } from '../harness/proc.ts'
import { remains, until } from '../harness/wait.ts'
import { openExecutorSetup } from './executor-setup.ts'
import { testCrashes, testRepeatedCrashes } from './executor-tests.ts'
import { countBilledJobs, documentOf, environmentOf, startFakeModels } from './fake-models.ts'
import { openSetup } from './provider-setup.ts'

const options = { skip: process.platform !== 'linux' && 'finds processes in /proc' }

test('crashes of the executor lose no execution, and no request fails', options, (t) => testCrashes(t))

test('an execution that crashes its process each time fails, and concurrent ones complete', options, (t) =>
  testRepeatedCrashes(t),
)

test('an execution that waits for a paid job survives any number of crashes of the executor', options, async (t) => {
  const [model] = await startFakeModels(['fal'])
  assert.ok(model)
  t.after(() => model.fake.close())
  const setup = await openSetup(t, { ...environmentOf([model]) })
  const { process: service } = await setup.start()
  const hold = () => model.fake.script({ when: polls, do: 'hang' })
  let requestsBefore = model.fake.log.length
  hold()
  const id = await setup.execute(documentOf(model, 1, 'picture'))
  let pid = await executorId(service.pid ?? 0)
  const crashes = limits.executionAttemptsMax + 2
  for (let n = 0; n < crashes; n++) {
    await until(`attempt ${n + 1} to wait`, async () => {
      const query = setup.kysely.selectFrom('executions').selectAll().where('id', '=', id)
      const { parked, attempt } = await query.executeTakeFirstOrThrow()
      const isHeld = model.fake.log.slice(requestsBefore).some(({ fault }) => fault === 'hang')
      return (isHeld && parked === 1 && attempt === n + 1) || undefined
    })
    requestsBefore = model.fake.log.length
    if (n < crashes - 1) hold()
    await crash(pid)
    pid = await executorId(service.pid ?? 0, pid)
  }
  await setup.waitForExecutions()
  const ended = await setup.getExecution(id)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.error))
  assert.equal(countBilledJobs(model.fake, 1), 1)
  await setup.checkCosts()
})

test('a thumbnail whose executor crashes waits for the next one', options, async (t) => {
  const setup = await openExecutorSetup(t)
  const caller = await setup.newCaller('one')
  const images = await Promise.all([caller.upload(), caller.upload()])
  const [first, second] = images.map(({ bytes }) => (JSON.parse(bytes.toString()) as { id: string }).id)
  assert.ok(first && second)
  const pid = await executorId(setup.servicePid)
  assert.equal((await caller.thumbnail(first)).status, 200)
  // So that it can't end before the crash.
  process.kill(pid, 'SIGSTOP')
  const interrupted = caller.thumbnail(second)
  const shared = caller.thumbnail(second)
  const stored = await caller.thumbnail(first)
  assert.equal(stored.status, 200, 'a stored thumbnail needs no executor')
  for (let i = 0; i < 5; i++) await caller.send('GET', '/workflows')
  await crash(pid)
  for (const { status, bytes } of await Promise.all([interrupted, shared])) assert.equal(status, 200, bytes.toString())
})

test(
  'an executor that no longer responds is replaced, its executions complete, and a thumbnail waits for the next one',
  options,
  async (t) => {
    const setup = await openExecutorSetup(t)
    const caller = await setup.newCaller('one')
    const pid = await executorId(setup.servicePid)
    const { id: imageId } = JSON.parse((await caller.upload()).bytes.toString()) as { id: string }
    process.kill(pid, 'SIGSTOP')
    const requests = [caller.upload(), caller.thumbnail(imageId)]
    const id = await caller.executeHeavy()
    const responses = await Promise.all(requests)
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 200],
      responses.map(({ bytes }) => bytes.toString('latin1', 0, 500)).join(),
    )
    const ended = await caller.ended(id)
    assert.match(setup.problems(), /the executor does not respond/)
    assert.equal(ended.status, 'completed', JSON.stringify(ended.error))
    assert.notEqual(await executorId(setup.servicePid), pid)
    assert.match(setup.problems(), /the executor does not respond/)
  },
)

test('while the next executor cannot execute yet, the service is ready, and executions wait', options, async (t) => {
  const setup = await openExecutorSetup(t)
  const caller = await setup.newCaller('one')
  assert.equal((await caller.executeAndWait()).status, 200)
  const file = path.join(setup.service.dataDir, 'worker.lock')
  const pid = await executorId(setup.servicePid)
  assert.equal(takeServeLock(file), undefined, 'the executor holds the lock while it executes')
  // So that the next process does not start before the test has the lock.
  process.kill(setup.servicePid, 'SIGSTOP')
  process.kill(pid, 'SIGKILL')
  const lock = await until('the lock of the lost process', () => takeServeLock(file))
  t.after(() => lock.release())
  process.kill(setup.servicePid, 'SIGCONT')
  await executorId(setup.servicePid, pid)
  const id = await caller.executeHeavy()
  assert.equal((await setup.readiness()).status, 200)
  assert.equal((await caller.upload()).status, 201)
  assert.equal((await caller.look(id)).status, 'pending')
  lock.release()
  assert.equal((await caller.ended(id)).status, 'completed')
})

test('/health/ready returns 503 while executors end soon after their start', options, async (t) => {
  const setup = await openExecutorSetup(t)
  let pid: number | undefined
  const notReady = await until('503', async () => {
    const next = executorOf(setup.servicePid)
    if (next !== undefined && next !== pid) process.kill(next, 'SIGKILL')
    pid = next ?? pid
    const response = await setup.readiness()
    return response.status === 503 ? response : undefined
  })
  assert.match(notReady.bytes.toString(), /The executor has ended several times/)
  assert.ok(notReady.headers['retry-after'])
  await setup.ready()
})

test('the executor ends when the service is killed, and the next start recovers its executions', options, async (t) => {
  const { service, servicePid, outside, newCaller, restart } = await openExecutorSetup(t)
  const caller = await newCaller('one')
  const heldSource = outside.hold()
  const id = await caller.executeHeld(heldSource.url)
  await heldSource.waiting()
  const pid = await executorId(servicePid)
  process.kill(servicePid, 'SIGKILL')
  await waitUntilEnded(pid)
  await service.ended()
  await restart()
  heldSource.release()
  assert.equal((await caller.ended(id)).status, 'completed')
})

test('SIGTERM to both processes gives running executions back and ends with success', options, async (t) => {
  const { service, servicePid, outside, newCaller, restart } = await openExecutorSetup(t)
  const caller = await newCaller('one')
  const heldSource = outside.hold()
  const id = await caller.executeHeld(heldSource.url)
  await heldSource.waiting()
  const pid = await executorId(servicePid)
  process.kill(pid, 'SIGTERM')
  process.kill(pid, 'SIGINT')
  await remains('the executor', () => executorOf(servicePid) === pid, 5)
  assert.equal(await service.stop(), 0)
  await waitUntilEnded(pid)
  const events = service.lines.filter((line) => line.includes('"msg":"stopped"'))
  assert.equal(events.length, 1)
  assert.equal(service.lines.join('\n').includes('the executor ended'), false)
  await restart()
  heldSource.release()
  const { status } = await caller.ended(id)
  assert.equal(status, 'completed')
})
