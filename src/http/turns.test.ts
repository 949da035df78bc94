import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { until } from '../../test/harness/wait.ts'
import { processorMs } from '../domain/clock.ts'
import { createTurns, type Turns } from './turns.ts'

/** Occupies the event loop. */
function workFor(ms: number): void {
  const endMs = processorMs() + ms
  while (processorMs() < endMs);
}

async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += Buffer.from(piece).toString()
  return text
}

test('one long piece of all responses is made in each turn of the event loop, and accounts alternate', async () => {
  const turns = createTurns()
  const made: string[] = []
  let sinceTurn = 0
  let isOpen = true
  const loop = async () => {
    while (isOpen) {
      assert.ok(sinceTurn <= 1, `${sinceTurn} pieces in one turn`)
      sinceTurn = 0
      await nextTurn()
    }
  }
  async function* pieces(name: string) {
    for (let i = 0; i < 5; i++) {
      made.push(name)
      sinceTurn += 1
      workFor(6)
      yield Buffer.from(name)
    }
  }
  const watching = loop()
  const ofA = Array.from({ length: 20 }, () => readAll(turns.of('a', pieces('a'), 'database')))
  assert.equal(await readAll(turns.of('b', pieces('b'), 'database')), 'bbbbb')
  assert.ok(made.filter((name) => name === 'a').length <= 6, made.join(''))
  assert.deepEqual(new Set(await Promise.all(ofA)), new Set(['aaaaa']))
  isOpen = false
  await watching
})

test('short pieces share a turn of the event loop', async () => {
  const turns = createTurns()
  let turnsOfLoop = 0
  const watch = () => {
    turnsOfLoop += 1
    watching = setImmediate(watch)
  }
  let watching = setImmediate(watch)
  await Promise.all(Array.from({ length: 1_000 }, (_, i) => turns.wait(`account ${i % 10}`)))
  clearImmediate(watching)
  assert.ok(turnsOfLoop < 500, `${turnsOfLoop} turns of the event loop`)
})

/** Starts reads of these accounts, each of which takes until `release`, and returns what was read. */
function heldReads(turns: Turns, accounts: string[], bytes: number) {
  const started: { account: string; release: () => void }[] = []
  const all = accounts.map((account) =>
    turns.read(
      account,
      () => new Promise<number>((resolve) => started.push({ account, release: () => resolve(bytes) })),
      (length) => length,
    ),
  )
  return { started, all: Promise.all(all) }
}

/** When all that may start has started. */
async function settled(turns: Turns): Promise<void> {
  await turns.wait('another')
  await nextTurn()
}

test('an account whose last read was long has two reads open at the same time, and another account does not wait', async () => {
  const turns = createTurns()
  await turns.read('a', async () => 100_000, Number)
  const { started, all } = heldReads(turns, Array(5).fill('a'), 100_000)
  await settled(turns)
  assert.equal(started.length, 2)
  assert.equal(await turns.read('b', async () => 100_000, Number), 100_000)
  for (let left = 5; left > 0; left--) {
    await settled(turns)
    assert.equal(started.length, Math.min(left, 2))
    started.shift()?.release()
  }
  assert.equal((await all).length, 5)
})

test('an account whose last read was short has six reads open at the same time', async () => {
  const turns = createTurns()
  const first = heldReads(turns, ['a', 'a', 'a'], 10)
  await settled(turns)
  assert.equal(first.started.length, 2, 'before the length is known')
  first.started[0]?.release()
  await settled(turns)
  const { started, all } = heldReads(turns, Array(10).fill('a'), 10)
  await settled(turns)
  assert.equal(first.started.length - 1 + started.length, 6)
  const releaseAll = () => {
    for (const { release } of [...first.started, ...started]) release()
  }
  await until('all reads', () => {
    releaseAll()
    return started.length === 10 || undefined
  })
  releaseAll()
  assert.equal((await all).length, 10)
  await first.all
})

test('reads that wait for something else do not keep others waiting', async () => {
  const turns = createTurns()
  const accounts = ['a', 'b', 'c', 'd', 'e', 'f', 'a', 'b']
  const late = heldReads(turns, accounts, 10)
  await settled(turns)
  const { started, all } = heldReads(turns, ['g'], 10)
  await settled(turns)
  assert.deepEqual([late.started.length, started.length], [6, 0])
  await until('the other reads', () => late.started.length + started.length === accounts.length + 1 || undefined)
  for (const { release } of [...late.started, ...started]) release()
  assert.equal((await Promise.all([late.all, all])).flat().length, accounts.length + 1)
})

test('a read that ends starts the one of another account that waits', async () => {
  const turns = createTurns()
  const { started, all } = heldReads(turns, ['a', 'b', 'c', 'd', 'e', 'f', 'g'], 10)
  await settled(turns)
  assert.equal(started.length, 6)
  started[0]?.release()
  for (let turn = 0; turn < 3 && started.length < 7; turn++) await nextTurn()
  assert.equal(started.length, 7)
  for (const { release } of started) release()
  await all
})

test('pieces of files are read without the limit of reads', async () => {
  const turns = createTurns()
  const gates: (() => void)[] = []
  async function* file() {
    await new Promise<void>((resolve) => gates.push(resolve))
    yield Buffer.from('x')
  }
  const files = Array.from({ length: 10 }, () => readAll(turns.of('a', file(), 'files')))
  await settled(turns)
  assert.equal(gates.length, 10)
  for (const release of gates) release()
  assert.equal((await Promise.all(files)).join(''), 'x'.repeat(10))
})

test('an error of the source, and the end of the client, end both sides', async () => {
  const turns = createTurns()
  async function* failing() {
    yield Buffer.from('a')
    throw new Error('the disk is gone')
  }
  await assert.rejects(readAll(turns.of('a', failing(), 'database')), /the disk is gone/)
  let isReturned = false
  async function* endless() {
    try {
      for (;;) yield Buffer.from('a')
    } finally {
      isReturned = true
    }
  }
  for await (const _ of turns.of('a', endless(), 'files')) break
  assert.ok(isReturned)
})
