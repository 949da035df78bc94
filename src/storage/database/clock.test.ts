import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDatabaseClock } from './clock.ts'

/** A database and a process whose times differ. `requestMs` and `responseMs` pass on the way to the database and back. */
async function open({ requestMs = 0, responseMs = 0 } = {}) {
  const world = { localMs: 5_000, databaseMs: 1_795_000_000_000, requestMs, responseMs, isAway: false }
  function pass(ms: number): void {
    world.localMs += ms
    world.databaseMs += ms
  }
  async function query() {
    pass(world.requestMs)
    if (world.isAway) throw new Error('The database does not respond.')
    const rows = [{ now: world.databaseMs }]
    pass(world.responseMs)
    return { rows }
  }
  const clock = await startDatabaseClock(query, () => world.localMs)
  clock.stop()
  return { clock, world, pass }
}

test('the clock has the time of the database and continues between measurements', async () => {
  const { clock, world, pass } = await open()
  assert.equal(clock.now(), world.databaseMs)
  pass(30_000)
  assert.equal(clock.now(), world.databaseMs)
})

test('half of the round trip counts as the way back', async () => {
  const { clock, world } = await open({ requestMs: 100, responseMs: 100 })
  assert.equal(clock.now(), world.databaseMs)
})

test('the error is at most half of the first round trip, and a quick measurement removes it', async () => {
  const { clock, world } = await open({ responseMs: 400 })
  assert.equal(clock.now(), world.databaseMs - 200)
  world.responseMs = 0
  await clock.measure()
  assert.equal(clock.now(), world.databaseMs)
})

test('a slow response does not spoil a good measurement', async () => {
  const { clock, world } = await open()
  world.responseMs = 20_000
  await clock.measure()
  assert.equal(clock.now(), world.databaseMs)
})

test('the clock never goes back: it stops until the time of the database catches up', async () => {
  const { clock, world, pass } = await open()
  const before = clock.now()
  world.databaseMs -= 1_000
  await clock.measure()
  assert.equal(clock.now(), before)
  pass(999)
  assert.equal(clock.now(), before)
  pass(2)
  assert.equal(clock.now(), before + 1)
})

test('a local clock that jumped is corrected by the next measurement', async () => {
  const { clock, world } = await open()
  world.databaseMs += 600_000
  await clock.measure()
  assert.equal(clock.now(), world.databaseMs)
})

test('while the database is away the last offset applies', async () => {
  const { clock, world, pass } = await open()
  world.isAway = true
  await assert.rejects(clock.measure())
  pass(120_000)
  assert.equal(clock.now(), world.databaseMs)
})

test('the clock measures again every minute, and not after it was stopped', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let queries = 0
  const query = async () => {
    queries += 1
    return { rows: [{ now: 1_795_000_000_000 }] }
  }
  const clock = await startDatabaseClock(query, () => 0)
  assert.equal(queries, 1)
  t.mock.timers.tick(60_000)
  assert.equal(queries, 2)
  clock.stop()
  t.mock.timers.tick(600_000)
  assert.equal(queries, 2)
})

test('a database that fails at the start is an error', async () => {
  const query = () => Promise.reject(new Error('The database does not respond.'))
  await assert.rejects(startDatabaseClock(query), /does not respond/)
})
