import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/harness/wait.ts'
import { createGate, type Sign } from './gates.ts'

const open = new AbortController().signal

test('no more are inside at once than may be, and who leaves lets the next one in', async () => {
  const gate = createGate(2)
  const [first] = await Promise.all([gate.enter(open), gate.enter(open)])
  let isIn = false
  const third = gate.enter(open).then(() => {
    isIn = true
  })
  await new Promise(setImmediate)
  assert.equal(isIn, false)
  first?.()
  await third
  assert.equal(isIn, true)
})

test('who is aborted while waiting leaves the queue at once, and takes no place', async () => {
  const gate = createGate(1)
  const leave = await gate.enter(open)
  const aborted = new AbortController()
  const waiting = gate.enter(aborted.signal)
  const next = gate.enter(open)
  aborted.abort(new Error('not wanted'))
  await assert.rejects(waiting, /not wanted/)
  leave()
  ;(await next)()
})

test('an abort inside keeps the place until it is left', async () => {
  const gate = createGate(1)
  const aborted = new AbortController()
  const leave = await gate.enter(aborted.signal)
  aborted.abort(new Error('not wanted'))
  let isIn = false
  const next = gate.enter(open).then(() => {
    isIn = true
  })
  await new Promise(setImmediate)
  assert.equal(isIn, false)
  leave()
  await next
})

test('a gate that is paused lets nobody in, and opens by itself', async () => {
  const gate = createGate(1)
  gate.pause(30)
  gate.pause(1)
  assert.ok(gate.pausedMs() > 1)
  // The timer of a gate keeps no process alive.
  const alive = setInterval(() => {}, 1_000)
  ;(await gate.enter(open))()
  clearInterval(alive)
  assert.equal(gate.pausedMs(), 0)
})

test('a pause of one model lets the other models of its provider in', async () => {
  const gate = createGate(1)
  gate.pause(60_000, 'busy')
  ;(await gate.enter(open, 'other'))()
  assert.equal(gate.pausedMs('other'), 0)
  const aborted = new AbortController()
  const waiting = gate.enter(aborted.signal, 'busy')
  aborted.abort(new Error('not wanted'))
  await assert.rejects(waiting, /not wanted/)
})

test('a call whose model is paused while it waits for its place waits on, and takes no place meanwhile', async () => {
  const gate = createGate(1)
  const leave = await gate.enter(open, 'busy')
  const aborted = new AbortController()
  const waiting = gate.enter(aborted.signal, 'busy')
  gate.pause(60_000, 'busy')
  leave()
  ;(await gate.enter(open, 'other'))()
  aborted.abort(new Error('not wanted'))
  await assert.rejects(waiting, /not wanted/)
})

test('it opens after five failures, tries with one call, and closes again when that is well', async () => {
  const gate = createGate(10, { initialDelay: 1, maxDelay: 1 })
  const told = (sign: Sign) =>
    gate.guard(
      async () => sign,
      () => sign,
    )
  for (let n = 0; n < 4; n++) await told('down')
  await told('answered')
  for (let n = 0; n < 5; n++) assert.equal(await told('down'), 'down')
  const trying = Promise.withResolvers<void>()
  await untilItTries()
  const probe = gate.guard(
    async () => {
      await trying.promise
      return 'probe'
    },
    () => 'answered',
  )
  assert.equal(await told('answered'), 'open', 'only one tries')
  trying.resolve()
  assert.equal(await probe, 'probe')
  for (let n = 0; n < 4; n++) assert.equal(await told('down'), 'down')
  assert.equal(await told('answered'), 'answered')
})

test('what was not sent is neither a failure nor a success, also of the one call that tries', async () => {
  const gate = createGate(10, { initialDelay: 1, maxDelay: 1 })
  const told = (sign: Sign) =>
    gate.guard(
      async () => sign,
      () => sign,
    )
  const thrown = () =>
    gate.guard(
      () => Promise.reject(new Error('the database is away')),
      () => 'answered',
    )
  for (let n = 0; n < 5; n++) {
    await told(undefined)
    await assert.rejects(thrown())
    assert.equal(await told('timeout'), 'timeout')
  }
  const slow = createGate(10, { initialDelay: 60_000, maxDelay: 60_000 })
  for (let n = 0; n < 5; n++) await slow.tell(n % 2 ? 'down' : 'outcome_unknown')
  const late = () =>
    slow.guard(
      async () => 'asked',
      () => 'answered',
    )
  assert.equal(await late(), 'open', 'calls that were begun elsewhere count')
  await slow.tell('answered')
  assert.equal(await late(), 'open', 'one that was sent before says nothing new')

  await untilItTries()
  await told(undefined)
  await assert.rejects(thrown())
  assert.equal(await told('down'), 'down', 'the next one tries, and it is not well yet')
  await untilItTries()
  assert.equal(await told('down'), 'down', 'one that tries, not the first of five')
  const again = await Promise.all([told('answered'), told('answered')])
  assert.ok(again.includes('open'))
})

test('what says nothing about the health of a provider opens nothing', async () => {
  const gate = createGate(10)
  for (let n = 0; n < 9; n++) {
    const sign = n % 2 ? 'auth' : 'refused'
    assert.equal(
      await gate.guard(
        async () => sign,
        () => sign,
      ),
      sign,
    )
  }
})

/** Gates of these tests let one call try after a millisecond. */
async function untilItTries(): Promise<void> {
  const fromMs = Date.now()
  await until('the clock to move', () => Date.now() > fromMs + 2 || undefined)
}
