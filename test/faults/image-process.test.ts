/** Crashes of the image process (IMAGE_PROCESS=separate), on SQLite. See also image-process.matrix.ts. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { limits } from '../../src/limits.ts'
import { takeServeLock } from '../../src/storage/database/serve-lock.ts'
import { polls } from '../contract/providers-faults.ts'
import { crash, imageProcessId, imageProcessOf } from '../harness/image-process.ts'
import { waitUntilEnded } from '../harness/proc.ts'
import { remains, until } from '../harness/wait.ts'
import { countBilledJobs, documentOf, environmentOf, startFakeModels } from './fake-models.ts'
import { openImageProcessSetup } from './image-process-setup.ts'
import { testCrashes, testRepeatedCrashes } from './image-process-tests.ts'
import { openSetup } from './provider-setup.ts'

const options = { skip: process.platform !== 'linux' && 'finds processes in /proc' }

test('crashes of the image process lose no execution, and interrupted requests can be repeated', options, (t) =>
  testCrashes(t),
)

test('an execution that crashes its process each time fails, and concurrent ones complete', options, (t) =>
  testRepeatedCrashes(t),
)

test(
  'an execution that waits for a paid job survives any number of crashes of the image process',
  options,
  async (t) => {
    const [model] = await startFakeModels(['fal'])
    assert.ok(model)
    t.after(() => model.fake.close())
    const setup = await openSetup(t, { ...environmentOf([model]), IMAGE_PROCESS: 'separate' })
    const { process: service } = await setup.start()
    const hold = () => model.fake.script({ when: polls, do: 'hang' })
    let requestsBefore = model.fake.log.length
    hold()
    const id = await setup.execute(documentOf(model, 1, 'picture'))
    let pid = await imageProcessId(service.pid ?? 0)
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
      pid = await imageProcessId(service.pid ?? 0, pid)
    }
    await setup.waitForExecutions()
    const ended = await setup.getExecution(id)
    assert.equal(ended.status, 'completed', JSON.stringify(ended.error))
    assert.equal(countBilledJobs(model.fake, 1), 1)
    await setup.checkCosts()
  },
)

test('a thumbnail whose image process crashes is 503, and the next request renders it', options, async (t) => {
  const setup = await openImageProcessSetup(t)
  await setup.ready()
  const caller = await setup.newCaller('one')
  const images = await Promise.all([caller.upload(), caller.upload()])
  const [first, second] = images.map(({ bytes }) => (JSON.parse(bytes.toString()) as { id: string }).id)
  assert.ok(first && second)
  const pid = await imageProcessId(setup.servicePid)
  assert.equal((await caller.thumbnail(first)).status, 200)
  // So that it can't end before the crash.
  process.kill(pid, 'SIGSTOP')
  const interrupted = caller.thumbnail(second)
  const shared = caller.thumbnail(second)
  const stored = await caller.thumbnail(first)
  assert.equal(stored.status, 200, 'a stored thumbnail needs no image process')
  for (let i = 0; i < 5; i++) await caller.send('GET', '/workflows')
  await crash(pid)
  for (const { status, bytes, headers } of await Promise.all([interrupted, shared])) {
    assert.equal(status, 503, bytes.toString())
    assert.ok(Number(headers['retry-after']) > 0)
  }
  await imageProcessId(setup.servicePid, pid)
  await setup.ready()
  const again = await caller.thumbnail(second)
  assert.equal(again.status, 200, again.bytes.toString())
  assert.equal(again.headers['content-type'], 'image/webp')
})

test('an image process that no longer responds is replaced, and its executions complete', options, async (t) => {
  const setup = await openImageProcessSetup(t)
  await setup.ready()
  const caller = await setup.newCaller('one')
  const pid = await imageProcessId(setup.servicePid)
  process.kill(pid, 'SIGSTOP')
  const id = await caller.executeHeavy()
  assert.equal((await caller.upload()).status, 201)
  const ended = await caller.ended(id)
  assert.match(setup.problems(), /the image process does not respond/)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.error))
  assert.notEqual(await imageProcessId(setup.servicePid), pid)
})

test('/health/ready returns 503 until the next image process executes', options, async (t) => {
  const setup = await openImageProcessSetup(t)
  const file = path.join(setup.service.dataDir, 'worker.lock')
  const pid = await imageProcessId(setup.servicePid)
  assert.equal(takeServeLock(file), undefined, 'the image process holds the lock while it executes')
  // So that the next process does not start before the test has the lock.
  process.kill(setup.servicePid, 'SIGSTOP')
  process.kill(pid, 'SIGSEGV')
  const lock = await until('the lock of the lost process', () => takeServeLock(file))
  t.after(() => lock.release())
  process.kill(setup.servicePid, 'SIGCONT')
  await imageProcessId(setup.servicePid, pid)
  const { status, bytes, headers } = await setup.readiness()
  assert.equal(status, 503)
  assert.match(bytes.toString(), /The image process is starting/)
  assert.ok(headers['retry-after'])
  lock.release()
  await setup.ready()
})

test(
  'the image process ends when the service is killed, and the next start recovers its executions',
  options,
  async (t) => {
    const { service, servicePid, outside, newCaller, restart } = await openImageProcessSetup(t)
    const caller = await newCaller('one')
    const heldSource = outside.hold()
    const id = await caller.executeHeld(heldSource.url)
    await heldSource.waiting()
    const pid = await imageProcessId(servicePid)
    process.kill(servicePid, 'SIGKILL')
    await waitUntilEnded(pid)
    await service.ended()
    await restart()
    heldSource.release()
    assert.equal((await caller.ended(id)).status, 'completed')
  },
)

test('SIGTERM to both processes gives running executions back and ends with success', options, async (t) => {
  const { service, servicePid, outside, newCaller, restart } = await openImageProcessSetup(t)
  const caller = await newCaller('one')
  const heldSource = outside.hold()
  const id = await caller.executeHeld(heldSource.url)
  await heldSource.waiting()
  const pid = await imageProcessId(servicePid)
  process.kill(pid, 'SIGTERM')
  process.kill(pid, 'SIGINT')
  await remains('the image process', () => imageProcessOf(servicePid) === pid, 5)
  assert.equal(await service.stop(), 0)
  await waitUntilEnded(pid)
  const events = service.lines.filter((line) => line.includes('"msg":"stopped"'))
  assert.equal(events.length, 1)
  assert.equal(service.lines.join('\n').includes('the image process ended'), false)
  await restart()
  heldSource.release()
  const { status } = await caller.ended(id)
  assert.equal(status, 'completed')
})

test('with IMAGE_PROCESS=same there is no other process', options, async (t) => {
  const setup = await openImageProcessSetup(t, { IMAGE_PROCESS: 'same' })
  assert.equal(imageProcessOf(setup.servicePid), undefined)
  const caller = await setup.newCaller('one')
  assert.equal((await caller.executeAndWait()).status, 200)
  assert.equal((await caller.upload()).status, 201)
})
