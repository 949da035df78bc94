import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/harness/wait.ts'
import { type BreakerOutcome, createLimiter } from './limiter.ts'

const open = new AbortController().signal

test('no more calls than the concurrency have a slot, and a released slot goes to the next call', async () => {
  const limiter = createLimiter(2)
  const [first] = await Promise.all([limiter.enter(open), limiter.enter(open)])
  let isIn = false
  const third = limiter.enter(open).then(() => {
    isIn = true
  })
  await new Promise(setImmediate)
  assert.equal(isIn, false)
  first?.()
  await third
  assert.equal(isIn, true)
})

test('a call that is aborted while it waits leaves the queue immediately and takes no slot', async () => {
  const limiter = createLimiter(1)
  const leave = await limiter.enter(open)
  const aborted = new AbortController()
  const waiting = limiter.enter(aborted.signal)
  const next = limiter.enter(open)
  aborted.abort(new Error('not wanted'))
  await assert.rejects(waiting, /not wanted/)
  leave()
  ;(await next)()
})

test('an aborted call keeps its slot until it releases it', async () => {
  const limiter = createLimiter(1)
  const aborted = new AbortController()
  const leave = await limiter.enter(aborted.signal)
  aborted.abort(new Error('not wanted'))
  let isIn = false
  const next = limiter.enter(open).then(() => {
    isIn = true
  })
  await new Promise(setImmediate)
  assert.equal(isIn, false)
  leave()
  await next
})

test('a paused limiter admits no call until the pause ends', async () => {
  const limiter = createLimiter(1)
  limiter.pause(30)
  limiter.pause(1)
  assert.ok(limiter.pausedMs() > 1)
  // The timer of a limiter keeps no process alive.
  const alive = setInterval(() => {}, 1_000)
  ;(await limiter.enter(open))()
  clearInterval(alive)
  assert.equal(limiter.pausedMs(), 0)
})

test('a paused model delays no other model of its provider', async () => {
  const limiter = createLimiter(1)
  limiter.pause(60_000, 'busy')
  ;(await limiter.enter(open, 'other'))()
  assert.equal(limiter.pausedMs('other'), 0)
  const aborted = new AbortController()
  const waiting = limiter.enter(aborted.signal, 'busy')
  aborted.abort(new Error('not wanted'))
  await assert.rejects(waiting, /not wanted/)
})

test('a call whose model is paused while it waits for a slot keeps waiting and takes no slot', async () => {
  const limiter = createLimiter(1)
  const leave = await limiter.enter(open, 'busy')
  const aborted = new AbortController()
  const waiting = limiter.enter(aborted.signal, 'busy')
  limiter.pause(60_000, 'busy')
  leave()
  ;(await limiter.enter(open, 'other'))()
  aborted.abort(new Error('not wanted'))
  await assert.rejects(waiting, /not wanted/)
})

test('the circuit opens after five failures, tests with one call, and closes when the test succeeds', async () => {
  const limiter = createLimiter(10, { initialDelay: 1, maxDelay: 1 })
  const callWith = (outcome: BreakerOutcome) =>
    limiter.guard(
      async () => outcome,
      () => outcome,
    )
  for (let n = 0; n < 4; n++) await callWith('down')
  await callWith('answered')
  for (let n = 0; n < 5; n++) assert.equal(await callWith('down'), 'down')
  const trying = Promise.withResolvers<void>()
  await untilItTries()
  const probe = limiter.guard(
    async () => {
      await trying.promise
      return 'probe'
    },
    () => 'answered',
  )
  assert.equal(await callWith('answered'), 'open', 'only one tries')
  trying.resolve()
  assert.equal(await probe, 'probe')
  for (let n = 0; n < 4; n++) assert.equal(await callWith('down'), 'down')
  assert.equal(await callWith('answered'), 'answered')
})

test('a call that was not sent counts neither as failure nor as success, also as the test of a half-open circuit', async () => {
  const limiter = createLimiter(10, { initialDelay: 1, maxDelay: 1 })
  const callWith = (outcome: BreakerOutcome) =>
    limiter.guard(
      async () => outcome,
      () => outcome,
    )
  const thrown = () =>
    limiter.guard(
      () => Promise.reject(new Error('the database is away')),
      () => 'answered',
    )
  for (let n = 0; n < 5; n++) {
    await callWith(undefined)
    await assert.rejects(thrown())
    assert.equal(await callWith('timeout'), 'timeout')
  }
  const slow = createLimiter(10, { initialDelay: 60_000, maxDelay: 60_000 })
  for (let n = 0; n < 5; n++) await slow.report(n % 2 ? 'down' : 'outcome_unknown')
  const late = () =>
    slow.guard(
      async () => 'log',
      () => 'answered',
    )
  assert.equal(await late(), 'open', 'calls that were begun elsewhere count')
  await slow.report('answered')
  assert.equal(await late(), 'open', 'one that was sent before says nothing new')

  await untilItTries()
  await callWith(undefined)
  await assert.rejects(thrown())
  assert.equal(await callWith('down'), 'down', 'the next one tries, and it is not well yet')
  await untilItTries()
  assert.equal(await callWith('down'), 'down', 'one that tries, not the first of five')
  const again = await Promise.all([callWith('answered'), callWith('answered')])
  assert.ok(again.includes('open'))
})

test('outcomes that say nothing about the health of a provider leave the circuit closed', async () => {
  const limiter = createLimiter(10)
  for (let n = 0; n < 9; n++) {
    const outcome = n % 2 ? 'auth' : 'refused'
    assert.equal(
      await limiter.guard(
        async () => outcome,
        () => outcome,
      ),
      outcome,
    )
  }
})

/** Gates of these tests let one call try after a millisecond. */
async function untilItTries(): Promise<void> {
  const fromMs = Date.now()
  await until('the clock to move', () => Date.now() > fromMs + 2 || undefined)
}
