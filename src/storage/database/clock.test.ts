import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDatabaseClock } from './clock.ts'

/** A database and a process whose times differ. `requestMs` and `responseMs` pass on the way to the database and back. */
async function open({ requestMs = 0, responseMs = 0 } = {}) {
  const simulated = { localMs: 5_000, databaseMs: 1_795_000_000_000, requestMs, responseMs, isAway: false }
  function pass(ms: number): void {
    simulated.localMs += ms
    simulated.databaseMs += ms
  }
  async function query() {
    pass(simulated.requestMs)
    if (simulated.isAway) throw new Error('The database does not respond.')
    const rows = [{ now: simulated.databaseMs }]
    pass(simulated.responseMs)
    return { rows }
  }
  const clock = await startDatabaseClock(query, () => simulated.localMs)
  clock.stop()
  return { clock, simulated, pass }
}

test('the clock has the time of the database and continues between measurements', async () => {
  const { clock, simulated, pass } = await open()
  assert.equal(clock.now(), simulated.databaseMs)
  pass(30_000)
  assert.equal(clock.now(), simulated.databaseMs)
})

test('half of the round trip counts as the way back', async () => {
  const { clock, simulated } = await open({ requestMs: 100, responseMs: 100 })
  assert.equal(clock.now(), simulated.databaseMs)
})

test('a slow first query, which opens the connection, does not make the clock wrong', async () => {
  let localMs = 0
  const query = async () => {
    const now = localMs
    localMs += now === 0 ? 400 : 2
    return { rows: [{ now }] }
  }
  const clock = await startDatabaseClock(query, () => localMs)
  clock.stop()
  assert.equal(localMs - clock.now(), 2)
})

test('the error is at most half of the round trip, and a quick measurement removes it', async () => {
  const { clock, simulated } = await open({ responseMs: 400 })
  assert.equal(clock.now(), simulated.databaseMs - 200)
  simulated.responseMs = 0
  await clock.measure()
  assert.equal(clock.now(), simulated.databaseMs)
})

test('a slow response does not spoil a good measurement', async () => {
  const { clock, simulated } = await open()
  simulated.responseMs = 20_000
  await clock.measure()
  assert.equal(clock.now(), simulated.databaseMs)
})

test('the clock never goes back: it stops until the time of the database catches up', async () => {
  const { clock, simulated, pass } = await open()
  const before = clock.now()
  simulated.databaseMs -= 1_000
  await clock.measure()
  assert.equal(clock.now(), before)
  pass(999)
  assert.equal(clock.now(), before)
  pass(2)
  assert.equal(clock.now(), before + 1)
})

test('a local clock that jumped is corrected by the next measurement', async () => {
  const { clock, simulated } = await open()
  simulated.databaseMs += 600_000
  await clock.measure()
  assert.equal(clock.now(), simulated.databaseMs)
})

test('while the database is away the last offset applies', async () => {
  const { clock, simulated, pass } = await open()
  simulated.isAway = true
  await assert.rejects(clock.measure())
  pass(120_000)
  assert.equal(clock.now(), simulated.databaseMs)
})

test('the clock measures again every minute, and not after it was stopped', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let queries = 0
  const query = async () => {
    queries += 1
    return { rows: [{ now: 1_795_000_000_000 }] }
  }
  const clock = await startDatabaseClock(query, () => 0)
  const atStart = queries
  t.mock.timers.tick(60_000)
  assert.equal(queries, atStart + 1)
  clock.stop()
  t.mock.timers.tick(600_000)
  assert.equal(queries, atStart + 1)
})

test('a database that fails at the start is an error', async () => {
  const query = () => Promise.reject(new Error('The database does not respond.'))
  await assert.rejects(startDatabaseClock(query), /does not respond/)
})
