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
  const turns = createTurns(10)
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
  const turns = createTurns(10)
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
  const started: { release: () => void }[] = []
  const all = accounts.map((account) =>
    turns.read(
      account,
      () => new Promise<number>((resolve) => started.push({ release: () => resolve(bytes) })),
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

/** Reads eight short responses, after which the account is expected to read no long ones. It keeps this state while a read is open. */
async function readShort(turns: Turns, account: string): Promise<void> {
  for (let i = 0; i < 8; i++) await turns.read(account, async () => 10, Number)
}

test('an account that reads long responses has two reads open at the same time, and another account does not wait', async () => {
  const turns = createTurns(10)
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

test('a long response among short ones, and responses of unknown length, keep the limit of long ones', async () => {
  const turns = createTurns(10)
  const first = heldReads(turns, ['a'], 10)
  await settled(turns)
  for (let i = 0; i < 7; i++) await turns.read('a', async () => 10, Number)
  await turns.read('a', async () => 100_000, Number)
  for (let i = 0; i < 7; i++) await turns.read('a', async () => 10, Number)
  for (let i = 0; i < 8; i++)
    await turns.read(
      'a',
      async () => 10,
      () => undefined,
    )
  const { started, all } = heldReads(turns, Array(5).fill('a'), 10)
  await settled(turns)
  assert.equal(started.length, 1, 'next to the first one')
  first.started[0]?.release()
  for (let ended = 0; ended < 5; ended++) {
    await settled(turns)
    started[ended]?.release()
  }
  assert.equal((await all).length, 5)
  await first.all
})

for (const [connectionsMax, readsMax] of [
  [100, 6],
  [10, 6],
  [5, 3],
  [2, 1],
] as const) {
  test(`of ${connectionsMax} connections, ${readsMax} are for short responses of an account`, async () => {
    const turns = createTurns(connectionsMax)
    const first = heldReads(turns, ['a'], 10)
    await settled(turns)
    if (readsMax > 1) await readShort(turns, 'a')
    const { started, all } = heldReads(turns, Array(10).fill('a'), 10)
    await settled(turns)
    assert.equal(started.length, readsMax - 1)
    first.started[0]?.release()
    for (let ended = 0; ended < 10; ended++) {
      await settled(turns)
      started[ended]?.release()
    }
    assert.equal((await all).length, 10)
    await first.all
  })
}

test('a read that waits for something else is not counted after 100 ms', async () => {
  const turns = createTurns(10)
  const { started, all } = heldReads(turns, Array(4).fill('a'), 10)
  await settled(turns)
  assert.equal(started.length, 2)
  await until('the other reads', () => started.length === 4 || undefined)
  for (const { release } of started) release()
  assert.equal((await all).length, 4)
})

test('the end of a read starts one of another account that waits', async () => {
  const turns = createTurns(10)
  const ofB = heldReads(turns, ['b'], 10)
  await settled(turns)
  await readShort(turns, 'b')
  const ofA = heldReads(turns, ['a'], 10)
  const others = heldReads(turns, ['c', 'd', 'e', 'f'], 10)
  await settled(turns)
  const second = heldReads(turns, ['b'], 10)
  await settled(turns)
  assert.deepEqual([others.started.length, second.started.length], [4, 0])
  ofA.started[0]?.release()
  for (let turn = 0; turn < 3 && second.started.length === 0; turn++) await nextTurn()
  assert.equal(second.started.length, 1)
  for (const { release } of [...ofB.started, ...others.started, ...second.started]) release()
  await Promise.all([ofA.all, ofB.all, others.all, second.all])
})

test('reads that must wait do not delay other work of the account', async () => {
  const turns = createTurns(10)
  const { started, all } = heldReads(turns, Array(3).fill('a'), 10)
  await settled(turns)
  assert.equal(started.length, 2)
  await turns.wait('a')
  assert.equal(started.length, 2)
  for (let ended = 0; ended < 3; ended++) {
    await settled(turns)
    started[ended]?.release()
  }
  await all
})

test('pieces of files are read without the limit of reads', async () => {
  const turns = createTurns(10)
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
  const turns = createTurns(10)
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
