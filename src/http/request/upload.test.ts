import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { createFairQueue } from '../../domain/fair-queue.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { type Part, partsInLimit, readInLimit } from './upload.ts'

function bodyOf(headers: Record<string, string> = {}) {
  return Object.assign(new PassThrough(), { headers }) as unknown as IncomingMessage & PassThrough
}

const field: Part = { type: 'field', fieldname: 'a', value: '1' }

/** One part, and then none until the body ends. */
async function* oneThenWait(raw: PassThrough): AsyncGenerator<Part> {
  const ended = new Promise((resolve) => raw.once('end', resolve))
  yield field
  await ended
}

async function all(parts: AsyncIterable<Part>): Promise<Part[]> {
  return Array.fromAsync(parts)
}

test('an upload whose length is above the limit is rejected before it is read', async () => {
  const raw = bodyOf({ 'content-length': String(1_000 + 65_537) })
  await assert.rejects(all(partsInLimit(oneThenWait(raw), raw, 1_000)), {
    message: /"file" must have at most 1000 bytes/,
  })
  assert.equal(raw.listenerCount('data'), 0)
})

test('bytes that are in no part count for the limit', async () => {
  for (const [bytes, isTooLong] of [
    [66_536, false],
    [66_537, true],
  ] as const) {
    const raw = bodyOf()
    const parts = all(partsInLimit(oneThenWait(raw), raw, 1_000))
    raw.write(Buffer.alloc(bytes))
    if (isTooLong) await assert.rejects(parts, { message: /must have a body of at most 66536 bytes/ })
    else {
      raw.end()
      assert.deepEqual(await parts, [field])
    }
  }
})

test('an account sends a number of long uploads at the same time, and more when one has ended', async () => {
  const uploads = createFairQueue({ perAccount: limits.longUploadsPerAccountMax })
  const release = Promise.withResolvers<void>()
  const read = (account: string, work: () => Promise<void> = () => release.promise, headers = {}) =>
    readInLimit(uploads, { id: account, noun: 'run link' }, headers, work)
  const reading = Array.from({ length: limits.longUploadsPerAccountMax }, () => read('a'))
  await assert.rejects(
    read('a'),
    (error) =>
      error instanceof Fault &&
      error.code === 'rate_limited' &&
      error.details.retryAfterSeconds === 5 &&
      error.message.startsWith('The run link sends 16 other large files'),
  )
  await read('b', async () => {})
  await read('a', async () => {}, { 'content-length': '1048576' })
  await assert.rejects(read('a', async () => {}, { 'content-length': '1048577' }))
  release.resolve()
  await Promise.all(reading)
  await read('a')
  await assert.rejects(read('a', async () => Promise.reject(new Error('broken'))))
  await read('a')
})
