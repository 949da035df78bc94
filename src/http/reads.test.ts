import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createReads } from './reads.ts'

async function* endless(onEnd = () => {}): AsyncGenerator<Buffer> {
  try {
    for (;;) yield Buffer.alloc(1)
  } finally {
    onEnd()
  }
}

test('four pieces of all responses of an account are read in a turn of the event loop, and another account does not wait', async () => {
  const reads = createReads()
  let ofA = 0
  let isOpen = true
  const responses = Array.from({ length: 40 }, async () => {
    for await (const _ of reads.pieces('a', undefined, endless())) {
      ofA += 1
      if (!isOpen) return
    }
  })
  for (let turn = 0; turn < 20; turn++) {
    const before = ofA
    await nextTurn()
    assert.ok(ofA - before <= 8, `${ofA - before} pieces`)
    const next = reads.run('b', undefined, async () => ofA)
    assert.equal(await next, ofA)
  }
  assert.ok(ofA >= 20)
  isOpen = false
  await Promise.all(responses)
})

test('a read that waits for something else lets the next one start after 100 ms', async () => {
  const reads = createReads()
  const ends: (() => void)[] = []
  const searches = Array.from({ length: 4 }, () =>
    reads.run('a', undefined, () => new Promise<void>((resolve) => ends.push(resolve))),
  )
  assert.equal(await reads.run('a', undefined, async () => 'read'), 'read')
  for (const end of ends) end()
  await Promise.all(searches)
})

test('a request whose client has left while it waits is not read', async () => {
  const reads = createReads()
  const ends: (() => void)[] = []
  const running = Array.from({ length: 4 }, () =>
    reads.run('a', undefined, () => new Promise<void>((resolve) => ends.push(resolve))),
  )
  const client = new AbortController()
  const waiting = reads.run('a', client.signal, async () => assert.fail('was read'))
  client.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  for (const end of ends) end()
  await Promise.all(running)
})

test('a piece whose client has left while it waits is not read, and its source ends', async () => {
  const reads = createReads()
  const ends: (() => void)[] = []
  const running = Array.from({ length: 4 }, () =>
    reads.run('a', undefined, () => new Promise<void>((resolve) => ends.push(resolve))),
  )
  const client = new AbortController()
  let isEnded = false
  async function* unread(): AsyncGenerator<Buffer> {
    yield assert.fail('was read')
  }
  const source = Object.assign(unread(), {
    async return() {
      isEnded = true
      return { done: true as const, value: undefined }
    },
  })
  const next = reads.pieces('a', client.signal, source).next()
  client.abort(new Error('gone'))
  await assert.rejects(next, /gone/)
  assert.ok(isEnded)
  for (const end of ends) end()
  await Promise.all(running)
})

test('an error of the source, and the end of the client, end both sides', async () => {
  const reads = createReads()
  let ended = 0
  for await (const _ of reads.pieces(
    'a',
    undefined,
    endless(() => ended++),
  ))
    break
  assert.equal(ended, 1)
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(1)
    throw new Error('failed')
  }
  await assert.rejects(async () => {
    for await (const _ of reads.pieces('a', undefined, failing()));
  }, /failed/)
})
