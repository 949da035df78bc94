import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { after, before, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Fault } from '../../errors.ts'
import { inUploadTurn, runJob, setJobSlots } from './jobs.ts'
import { contextFor } from './test-images.ts'

before(() => setJobSlots(2))
after(() => setJobSlots(availableParallelism()))

function job() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { work: () => promise, finish: () => resolve('done') }
}

test('a job that is aborted while it runs rejects immediately and keeps its slot until it is done', async () => {
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

/** Starts one job for each name and notes in which order they start. */
function jobsOf(names: string[], more: (name: string) => object = () => ({})) {
  const started: string[] = []
  const finish = new Map<string, () => void>()
  const results = names.map((name) =>
    runJob(contextFor({ account: name.charAt(0), ...more(name) }), () => {
      started.push(name)
      const { promise, resolve } = Promise.withResolvers<void>()
      finish.set(name, resolve)
      return promise
    }),
  )
  const end = async (name: string) => {
    finish.get(name)?.()
    await turn()
  }
  return { started, end, results }
}

test('one account leaves a slot free for others if its jobs are long, and short jobs do not wait behind long ones', async () => {
  const { started, end, results } = jobsOf(['a1', 'a2', 'a3', 'b1'], (name) =>
    name === 'a1' || name === 'a2' ? { pixels: 50_000_000 } : {},
  )
  await turn()
  assert.deepEqual(started, ['a1', 'a3'])
  await end('a3')
  assert.deepEqual(started, ['a1', 'a3', 'b1'])
  await end('b1')
  assert.equal(started.length, 3)
  await end('a1')
  assert.deepEqual(started.slice(3), ['a2'])
  await end('a2')
  await Promise.all(results)
})

for (const format of ['webp', 'png', 'avif', 'gif'])
  test(`the jobs of large ${format} files count as long, and those of a JPEG with as many pixels do not`, async () => {
    const { started, end, results } = jobsOf(['a1', 'a2', 'b1', 'c1', 'c2'], (name) => ({
      output: { format: name.startsWith('c') ? 'jpeg' : format, pixels: 9_000_000 },
    }))
    await turn()
    assert.deepEqual(started, ['a1', 'b1'])
    await end('b1')
    // The slot is not for the second job of the first account.
    assert.deepEqual(started.slice(2), ['c1'])
    await end('a1')
    await end('c1')
    for (const name of ['c2', 'a2']) await end(name)
    await Promise.all(results)
    const small = jobsOf(['a1', 'a2'], () => ({ output: { format, pixels: 100_000 } }))
    await turn()
    assert.equal(small.started.length, 2)
    for (const name of ['a1', 'a2']) await small.end(name)
    await Promise.all(small.results)
  })

test('files that are not trusted yet leave a slot free for another account, however small they are', async () => {
  const { started, end, results } = jobsOf(['a1', 'a2', 'b1'], (name) => ({ isUntrusted: name !== 'b1' }))
  await turn()
  assert.deepEqual(started, ['a1', 'b1'])
  await end('a1')
  assert.deepEqual(started, ['a1', 'b1', 'a2'])
  await end('a2')
  await end('b1')
  await Promise.all(results)
})

test('uploads have half of four slots, an account has one of them, and accounts take turns', async (t) => {
  setJobSlots(4)
  t.after(() => setJobSlots(2))
  const started: string[] = []
  const finish = new Map<string, () => void>()
  const results = ['a1', 'a2', 'b1', 'b2'].map((name) =>
    inUploadTurn(contextFor({ account: name.charAt(0) }), (context) =>
      runJob(context, () => {
        started.push(name)
        const { promise, resolve } = Promise.withResolvers<void>()
        finish.set(name, resolve)
        return promise
      }),
    ),
  )
  await turn()
  assert.deepEqual(started, ['a1', 'b1'])
  assert.equal(await runJob(contextFor({ account: 'c' }), async () => 'a slot is free'), 'a slot is free')
  for (const [name, count] of [
    ['b1', 3],
    ['b2', 3],
    ['a1', 4],
    ['a2', 4],
  ] as const) {
    finish.get(name)?.()
    while (started.length < count) await turn()
  }
  await Promise.all(results)
  assert.deepEqual(started, ['a1', 'b1', 'b2', 'a2'])
})

for (const slots of [1, 2, 3]) {
  test(`with ${slots} slots, the upload of an account doesn't keep out that of another`, async (t) => {
    setJobSlots(slots)
    t.after(() => setJobSlots(2))
    const long = Promise.withResolvers<void>()
    const held = inUploadTurn(contextFor({ account: 'a' }), () => long.promise)
    assert.equal(await inUploadTurn(contextFor({ account: 'b' }), async () => 'done'), 'done')
    long.resolve()
    await held
  })
}

test('an aborted upload keeps its slot until the job in libvips is done', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const leaving = new AbortController()
  const first = inUploadTurn(contextFor({ signal: leaving.signal }), (context) => runJob(context, () => promise))
  let isStarted = false
  const second = inUploadTurn(contextFor(), async () => {
    isStarted = true
  })
  await turn()
  leaving.abort()
  await assert.rejects(first)
  await turn()
  assert.equal(isStarted, false)
  resolve()
  await second
})

test('a job waits for its memory before it takes a slot, and releases the memory when it is done', async () => {
  const log: string[] = []
  const memory = Promise.withResolvers<void>()
  const reserve = async (bytes: number) => {
    await memory.promise
    log.push(`has ${bytes}`)
    return () => log.push('gives back')
  }
  const job = runJob(contextFor({ reserve }), async () => log.push('works'), 1_000)
  const others = [1, 2].map(() => runJob(contextFor(), async () => 'another'))
  assert.deepEqual(await Promise.all(others), ['another', 'another'])
  memory.resolve()
  await job
  await turn()
  assert.deepEqual(log, ['has 1000', 'works', 'gives back'])
})
