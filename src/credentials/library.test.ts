import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { isFault } from '../imaging/raster/test-faults.ts'
import { createLibrary } from './library.ts'
import type { ReadJob, SignJob } from './messages.ts'

const never = new AbortController().signal

it('a job that ends its process fails alone', async (t) => {
  const library = opened(t)
  const crashing = library.run(read('crash'), never)
  const next = library.run(read('next'), never)
  await assert.rejects(crashing, isFault('internal'))
  assert.deepEqual(await next, { problem: 'next' })
})

it('reads that take too long fail alone, and keep no file from being signed', async (t) => {
  const library = opened(t)
  const hanging = Array.from({ length: 3 }, () => library.run(read('hang'), never))
  const outcomes = Promise.allSettled(hanging)
  assert.deepEqual(await library.run(sign('claim'), never, async () => Buffer.from('cose')), {
    problem: 'signed with cose',
  })
  for (const outcome of await outcomes)
    assert.ok(outcome.status === 'rejected' && isFault('limit_exceeded')(outcome.reason))
})

it('another file is signed while one waits for its signature', async (t) => {
  const library = opened(t)
  const signature = Promise.withResolvers<Uint8Array>()
  const signing = library.run(sign('first'), never, () => signature.promise)
  assert.deepEqual(await library.run(sign('second'), never, async () => Buffer.from('x')), { problem: 'signed with x' })
  signature.resolve(Buffer.from('cose'))
  assert.deepEqual(await signing, { problem: 'signed with cose' })
})

it('a job whose signature fails has the error of the signer', async (t) => {
  const library = opened(t)
  const failed = library.run(sign('claim'), never, () => Promise.reject(new Error('the signer is away')))
  await assert.rejects(failed, /the signer is away/)
})

it('a job that waits for a process, or runs, ends with the reason of its signal', async (t) => {
  const library = opened(t)
  const ending = new AbortController()
  const jobs = [read('hang'), read('next')].map((job) => library.run(job, ending.signal))
  const outcomes = Promise.allSettled(jobs)
  ending.abort(new Error('gone'))
  for (const outcome of await outcomes) assert.ok(outcome.status === 'rejected' && /gone/.test(String(outcome.reason)))
})

function opened(t: TestContext) {
  const library = createLibrary({
    roots: { others: '', installation: '' },
    generator: { name: 'test', version: '1' },
    program: new URL('./test-library.ts', import.meta.url),
    readSeconds: 1,
  })
  t.after(library.close)
  return library
}

function read(order: string): ReadJob {
  return { kind: 'read', file: { mediaType: 'image/png', bytes: Buffer.from(order) } }
}

function sign(claim: string): SignJob {
  const file = { mediaType: 'image/png', bytes: Buffer.from(claim) }
  return { kind: 'sign', file, definition: '{}', ingredients: [], algorithm: 'es256', coseBytes: 1 }
}
