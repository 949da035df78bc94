import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createTurns, inTurn, type Turn } from './turns.ts'

const never = new AbortController().signal

/** Takes turns and records which have started. */
function setup() {
  const turns = createTurns()
  const started: string[] = []
  async function take(name: string, { isAlone = false, signal = never } = {}): Promise<Turn> {
    const turn = turns.of(isAlone)
    void turn.take(signal).then(
      () => started.push(name),
      () => started.push(`${name} gave up`),
    )
    await setImmediate()
    return turn
  }
  return { turns, started, take }
}

test('any number run at the same time', async () => {
  const { started, take } = setup()
  await take('a')
  await take('b')
  assert.deepEqual(started, ['a', 'b'])
})

test('a suspect waits until nothing runs, and nothing starts before it or next to it', async () => {
  const { started, take } = setup()
  const [a, b] = [await take('a'), await take('b')]
  const suspect = await take('suspect', { isAlone: true })
  const c = await take('c')
  a.leave()
  await setImmediate()
  assert.deepEqual(started, ['a', 'b'])
  b.leave()
  await setImmediate()
  assert.deepEqual(started, ['a', 'b', 'suspect'])
  assert.equal(c.mustWait(), true)
  suspect.leave()
  await setImmediate()
  assert.deepEqual(started, ['a', 'b', 'suspect', 'c'])
})

test('suspects run one after the other', async () => {
  const { started, take } = setup()
  const first = await take('first', { isAlone: true })
  await take('second', { isAlone: true })
  assert.deepEqual(started, ['first'])
  first.leave()
  await setImmediate()
  assert.deepEqual(started, ['first', 'second'])
})

test('while a suspect waits for others the rest runs, and it takes its turn back without waiting', async () => {
  const { started, take } = setup()
  const suspect = await take('suspect', { isAlone: true })
  suspect.leave()
  const a = await take('a')
  suspect.takeBack()
  await take('b')
  a.leave()
  await setImmediate()
  assert.deepEqual(started, ['suspect', 'a'])
  suspect.leave()
  await setImmediate()
  assert.deepEqual(started, ['suspect', 'a', 'b'])
})

test('a suspect that stops waiting blocks no other job', async () => {
  const { started, take } = setup()
  const a = await take('a')
  const cancelled = new AbortController()
  await take('suspect', { isAlone: true, signal: cancelled.signal })
  await take('b')
  cancelled.abort()
  await setImmediate()
  assert.deepEqual(started.toSorted(), ['a', 'b', 'suspect gave up'])
  a.leave()
})

test('uploads run next to executions, and not next to a suspect', async () => {
  const { turns, started, take } = setup()
  const upload = (name: string, waitSecondsMax = 60) =>
    inTurn(turns, { signal: undefined, waitSecondsMax }, async () => started.push(name))
  const a = await take('a')
  await upload('upload')
  const suspect = await take('suspect', { isAlone: true })
  const waiting = upload('waiting upload')
  await assert.rejects(upload('late upload', 0), { code: 'unavailable' })
  a.leave()
  await setImmediate()
  assert.deepEqual(started, ['a', 'upload', 'suspect'])
  suspect.leave()
  await waiting
  assert.deepEqual(started, ['a', 'upload', 'suspect', 'waiting upload'])
})

test('a suspect waits for running uploads', async () => {
  const { turns, started, take } = setup()
  const decoded = Promise.withResolvers<void>()
  const upload = inTurn(turns, { signal: undefined, waitSecondsMax: 60 }, () => decoded.promise)
  await take('suspect', { isAlone: true })
  assert.deepEqual(started, [])
  decoded.resolve()
  await upload
  await setImmediate()
  assert.deepEqual(started, ['suspect'])
})
