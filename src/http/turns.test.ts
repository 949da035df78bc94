import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { processorMs } from '../domain/clock.ts'
import { createTurns } from './turns.ts'

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
  const ofA = Array.from({ length: 20 }, () => readAll(turns.of('a', pieces('a'))))
  assert.equal(await readAll(turns.of('b', pieces('b'))), 'bbbbb')
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

test('an error of the source, and the end of the client, end both sides', async () => {
  const turns = createTurns()
  async function* failing() {
    yield Buffer.from('a')
    throw new Error('the disk is gone')
  }
  await assert.rejects(readAll(turns.of('a', failing())), /the disk is gone/)
  let isReturned = false
  async function* endless() {
    try {
      for (;;) yield Buffer.from('a')
    } finally {
      isReturned = true
    }
  }
  for await (const _ of turns.of('a', endless())) break
  assert.ok(isReturned)
})
