import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import type { ReadJob, SignJob, WorkerResult } from './messages.ts'
import { createThreads, ThreadEnded, type ThreadsOptions } from './threads.ts'

const never = new AbortController().signal

for (const how of ['crash', 'throw'])
  it(`a job that ends its thread (${how}) fails alone, and the next one runs in another thread`, async (t) => {
    const threads = opened(t)
    const crashing = threads.run(read(how), never)
    const next = threads.run(read('next'), never)
    await assert.rejects(crashing, (error) => error instanceof ThreadEnded && !error.isTooSlow)
    assert.equal(problemOf(await next), 'next')
  })

it('a job that takes too long fails alone, and ends its thread', async (t) => {
  const threads = opened(t, { threadsMax: 2, readSeconds: 1 })
  const hanging = threads.run(read('hang'), never)
  const next = threads.run(read('next'), never)
  await assert.rejects(hanging, (error) => error instanceof ThreadEnded && error.isTooSlow)
  assert.equal(problemOf(await next), 'next')
})

it('a job is not too slow while its thread waits for a core, but ends after some time', async (t) => {
  const patient = opened(t, { readSeconds: 1, elapsedPerCpu: 200 })
  assert.equal(problemOf(await patient.run(read('wait'), never)), 'wait')
  const impatient = opened(t, { readSeconds: 1, elapsedPerCpu: 1 })
  await assert.rejects(impatient.run(read('wait'), never), (error) => error instanceof ThreadEnded && error.isTooSlow)
})

it('the thread for signing signs others while a job waits for its signature', async (t) => {
  const threads = opened(t)
  const signature = Promise.withResolvers<Uint8Array>()
  const signing = threads.run(sign('claim'), never, () => signature.promise)
  assert.equal(problemOf(await threads.run(sign('other'), never, signed('x'))), 'signed with x')
  signature.resolve(Buffer.from('cose'))
  assert.equal(problemOf(await signing), 'signed with cose')
})

it('reads that never end keep no file from being signed', async (t) => {
  const threads = opened(t, { threadsMax: 3 })
  const hanging = Promise.allSettled(Array.from({ length: 4 }, () => threads.run(read('hang'), never)))
  assert.equal(problemOf(await threads.run(sign('claim'), never, signed('cose'))), 'signed with cose')
  await threads.close()
  assert.deepEqual(new Set((await hanging).map(({ status }) => status)), new Set(['rejected']))
})

it('a job with a local signature does not lose its thread to the jobs that wait', async (t) => {
  const threads = opened(t)
  let claims = 0
  const signing = threads.run(sign('claim'), never, async () => {
    claims += 1
    return Buffer.from('cose')
  })
  const crashing = threads.run(sign('crash'), never)
  await assert.rejects(crashing, ThreadEnded)
  assert.equal(problemOf(await signing), 'signed with cose')
  assert.equal(claims, 1)
})

it('a job that waits for its signature loses its thread to another one at most once', async (t) => {
  const threads = opened(t)
  const claimed = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const signatures = [Promise.withResolvers<Uint8Array>(), Promise.withResolvers<Uint8Array>()]
  let claims = 0
  const signing = threads.run(sign('claim'), never, async () => {
    const at = claims++
    claimed[at]?.resolve()
    return signatures[at]?.promise ?? assert.fail('the job started a third time')
  })
  await claimed[0]?.promise
  const crashing = Array.from({ length: 5 }, () => threads.run(sign('crash'), never))
  const outcomes = Promise.allSettled(crashing)
  await claimed[1]?.promise
  signatures[1]?.resolve(Buffer.from('second'))
  assert.equal(problemOf(await signing), 'signed with second')
  assert.deepEqual(new Set((await outcomes).map(({ status }) => status)), new Set(['rejected']))
  assert.equal(claims, 2)
})

it('a job whose signature fails has the error of the signer, and its thread continues', async (t) => {
  const threads = opened(t)
  const failed = threads.run(sign('claim'), never, () => Promise.reject(new Error('the signer is away')))
  await assert.rejects(failed, /the signer is away/)
  assert.equal(problemOf(await threads.run(sign('next'), never, signed('next'))), 'signed with next')
  assert.equal(threads.count(), 1)
})

it('a thread whose memory has grown ends after its job', async (t) => {
  const threads = opened(t, { threadsMax: 2, memoryBytesMax: 100 })
  assert.equal(problemOf(await threads.run(read('grow'), never)), 'grow')
  assert.equal(threads.count(), 0)
  assert.equal(problemOf(await threads.run(read('next'), never)), 'next')
  assert.equal(threads.count(), 1)
})

it('a job that waits for a thread ends when its signal aborts', async (t) => {
  const threads = opened(t, { threadsMax: 2, readSeconds: 1 })
  const ending = new AbortController()
  const hanging = threads.run(read('hang'), never)
  const waiting = threads.run(read('next'), ending.signal)
  ending.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  await assert.rejects(hanging, ThreadEnded)
})

it('no more threads run than allowed, and the first one runs as many jobs as it can', async (t) => {
  const threads = opened(t, { threadsMax: 3 })
  const results = await Promise.all(Array.from({ length: 20 }, (_, index) => threads.run(read(`${index}`), never)))
  assert.deepEqual(
    results.map(problemOf),
    Array.from({ length: 20 }, (_, index) => `${index}`),
  )
  assert.ok(threads.count() <= 2)
})

it('closing ends all jobs', async (t) => {
  const threads = opened(t)
  const jobs = [threads.run(read('hang'), never), threads.run(read('next'), never)]
  const outcomes = Promise.allSettled(jobs)
  await threads.close()
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await assert.rejects(threads.run(read('later'), never), ThreadEnded)
})

function opened(t: TestContext, options: Partial<ThreadsOptions> = {}) {
  const threads = createThreads({
    roots: { others: '', installation: '' },
    generator: { name: 'test', version: '1' },
    program: new URL('./test-thread.ts', import.meta.url),
    ...options,
  })
  t.after(threads.close)
  return threads
}

function read(order: string): ReadJob {
  return { kind: 'read', file: { mediaType: 'image/png', bytes: Buffer.from(order) } }
}

function sign(claim: string): SignJob {
  const file = { mediaType: 'image/png', bytes: Buffer.from(claim) }
  return { kind: 'sign', file, definition: '{}', ingredients: [], algorithm: 'es256', coseBytes: 1 }
}

function signed(cose: string) {
  return async () => Buffer.from(cose)
}

function problemOf(result: WorkerResult): string | undefined {
  return 'problem' in result ? result.problem : undefined
}
