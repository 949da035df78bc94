import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createPlaces, type Place } from './places.ts'

const never = new AbortController().signal

/** Takes places, and records which have started. */
function setup() {
  const places = createPlaces()
  const started: string[] = []
  async function take(name: string, { isAlone = false, signal = never } = {}): Promise<Place> {
    const place = places.of(isAlone)
    void place.take(signal).then(
      () => started.push(name),
      () => started.push(`${name} gave up`),
    )
    await setImmediate()
    return place
  }
  return { places, started, take }
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

test('while a suspect waits for others the rest runs, and it takes its place back without waiting', async () => {
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

test('other work runs next to executions, and not next to a suspect', async () => {
  const { places, started, take } = setup()
  const other = (name: string) => places.during(async () => void started.push(name), undefined)
  const a = await take('a')
  await other('upload')
  const suspect = await take('suspect', { isAlone: true })
  const waiting = other('waiting upload')
  a.leave()
  await setImmediate()
  assert.deepEqual(started, ['a', 'upload', 'suspect'])
  suspect.leave()
  await waiting
  assert.deepEqual(started, ['a', 'upload', 'suspect', 'waiting upload'])
})
