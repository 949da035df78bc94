import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { after, before, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Fault, failure } from '../../errors.ts'
import { runJob, setJobSlots } from './jobs.ts'
import { contextFor } from './test-pictures.ts'

before(() => setJobSlots(2))
after(() => setJobSlots(availableParallelism()))

function job() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { work: () => promise, finish: () => resolve('done') }
}

test('no more jobs run at once than there are slots, and they start in the order of asking', async () => {
  const started: number[] = []
  const jobs = Array.from({ length: 5 }, job)
  const results = jobs.map(({ work }, index) =>
    runJob(contextFor(), () => {
      started.push(index)
      return work()
    }),
  )
  await turn()
  assert.deepEqual(started, [0, 1])
  jobs[1]?.finish()
  await results[1]
  await turn()
  assert.deepEqual(started, [0, 1, 2])
  for (const { finish } of jobs) finish()
  await Promise.all(results)
  assert.deepEqual(started, [0, 1, 2, 3, 4])
})

test('a job that is aborted while it waits never starts, and gives its place to the next', async () => {
  const [first, second] = [job(), job()]
  const running = [runJob(contextFor(), first.work), runJob(contextFor(), second.work)]
  const controller = new AbortController()
  let started = false
  const waiting = runJob(contextFor({ signal: controller.signal }), async () => {
    started = true
  })
  const behind = runJob(contextFor(), async () => 'behind')
  controller.abort(failure('timeout', 'It ran past its deadline.'))
  await assert.rejects(waiting, (error: unknown) => error instanceof Fault && error.details.reason === 'timeout')
  first.finish()
  assert.equal(await behind, 'behind')
  assert.equal(started, false)
  second.finish()
  await Promise.all(running)
})

test('a job that is aborted while it runs rejects at once and keeps its slot until it is done', async () => {
  const stubborn = job()
  const controller = new AbortController()
  const aborted = runJob(contextFor({ signal: controller.signal }), stubborn.work)
  const other = job()
  const beside = runJob(contextFor(), other.work)
  let started = false
  const next = runJob(contextFor(), async () => {
    started = true
  })
  await turn()
  controller.abort()
  await assert.rejects(aborted, (error: unknown) => error instanceof Fault && error.details.reason === 'cancelled')
  assert.equal(started, false)
  stubborn.finish()
  await next
  other.finish()
  await beside
})

test('a job that throws, at once or later, gives its slot back', async () => {
  const thrower = () => {
    throw new Error('at once')
  }
  for (let time = 0; time < 4; time += 1) {
    await assert.rejects(runJob(contextFor(), thrower), /at once/)
    await assert.rejects(
      runJob(contextFor(), () => Promise.reject(new Error('later'))),
      /later/,
    )
  }
  assert.equal(await runJob(contextFor(), async () => 'free'), 'free')
})
