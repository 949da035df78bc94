import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGate } from './gates.ts'

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
  const alive = setTimeout(() => {}, 10_000)
  ;(await gate.enter(open))()
  clearTimeout(alive)
  assert.equal(gate.pausedMs(), 0)
})

test('it opens after five failures, tries with one call, and closes again when that is well', async () => {
  const gate = createGate(10, { initialDelay: 1, maxDelay: 1 })
  const down = () =>
    gate.guard(
      async () => 'down' as const,
      (kind) => kind,
    )
  const well = () =>
    gate.guard(
      async () => 'well' as const,
      () => undefined,
    )
  for (let n = 0; n < 4; n++) await down()
  await well()
  for (let n = 0; n < 5; n++) assert.equal(await down(), 'down')
  const trying = Promise.withResolvers<void>()
  await new Promise((resolve) => setTimeout(resolve, 20))
  const probe = gate.guard(
    async () => {
      await trying.promise
      return 'probe'
    },
    () => undefined,
  )
  assert.equal(await well(), 'open', 'only one tries')
  trying.resolve()
  assert.equal(await probe, 'probe')
  assert.equal(await well(), 'well')
})

test('what says nothing about the health of a provider opens nothing', async () => {
  const gate = createGate(10)
  for (let n = 0; n < 9; n++) {
    await gate.guard(
      async () => n,
      () => (n % 2 ? 'auth' : 'refused'),
    )
    await assert.rejects(
      gate.guard(
        () => Promise.reject(new Error('the database is away')),
        () => undefined,
      ),
    )
  }
  assert.equal(
    await gate.guard(
      async () => 'well',
      () => undefined,
    ),
    'well',
  )
})
