import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ActivityStore, dayMs, type RequestCount, roundedDuration } from '../../domain/accounts/activity.ts'
import { createActivity } from './activity.ts'
import { createRequestCounts } from './request-counts.ts'

const noon = Date.parse('2026-03-05T12:00:00Z')

/** A store that records its calls and stores nothing. */
function recording(fields: Partial<ActivityStore> = {}) {
  const written: (RequestCount & { accountId: string; day: string })[][] = []
  const store: ActivityStore = {
    addRequests: async (counts) => void written.push(counts),
    requestsOf: async () => [],
    executionsOf: async () => [],
    closeNextDay: async () => undefined,
    ...fields,
  }
  return { store, written }
}

function movable(start: number) {
  let now = start
  const moveTo = (ms: number): void => {
    now = ms
  }
  return { clock: { now: () => now }, moveTo }
}

test('returns every day of the range, and totals of all executions instead of sums of days', async () => {
  const { store } = recording({
    requestsOf: async () => [
      { day: '2026-02-28', requests: 5, refused: 1 },
      { day: '2026-03-02', requests: 7, refused: 0 },
    ],
    executionsOf: async () => [
      {
        day: '2026-02-28',
        failures: [
          { reason: 'timeout', count: 1 },
          { reason: 'input_invalid', count: 3 },
        ],
        durations: [[1_000, 1]],
      },
      {
        day: '2026-03-02',
        failures: [{ reason: 'timeout', count: 3 }],
        durations: [
          [10, 90],
          [20, 9],
        ],
      },
    ],
  })
  const activity = createActivity({ activity: store, accounts: { list: async () => [] }, clock: { now: () => noon } })
  const { totals, days } = await activity.of('acct', { from: '2026-02-28', to: '2026-03-02' })
  assert.deepEqual(totals, {
    requests: 12,
    refused: 1,
    executions: 107,
    completed: 100,
    failed: 7,
    failures: [
      { reason: 'timeout', count: 4 },
      { reason: 'input_invalid', count: 3 },
    ],
    duration: { median: 10, p95: 20 },
  })
  assert.deepEqual(
    days.map(({ day, requests, executions, duration }) => [day, requests, executions, duration]),
    [
      ['2026-02-28', 5, 5, { median: 1_000, p95: 1_000 }],
      ['2026-03-01', 0, 0, null],
      ['2026-03-02', 7, 102, { median: 10, p95: 20 }],
    ],
  )
})

test('returns durations to one percent, and exact ones below a tenth of a second', () => {
  const rounded = [-5, 0, 0.4, 7, 99, 100, 102, 199, 206, 999, 1_004, 1_011, 9_999, 12_345, 299_949].map(
    roundedDuration,
  )
  assert.deepEqual(rounded, [0, 0, 0, 7, 99, 100, 102, 200, 208, 1_000, 1_000, 1_020, 10_000, 12_400, 300_000])
  for (let ms = 1; ms < 400_000; ms = Math.ceil(ms * 1.0037)) {
    assert.ok(Math.abs(roundedDuration(ms) - ms) <= ms * 0.01, `${ms}`)
    assert.equal(roundedDuration(roundedDuration(ms)), roundedDuration(ms))
  }
})

test('closes a day an hour after its end, for every account, and at most as many days as requested', async () => {
  const closedFor: string[] = []
  const left = new Map([
    ['a', 3],
    ['b', 2],
  ])
  const { store } = recording({
    async closeNextDay(accountId, before) {
      closedFor.push(before)
      const days = left.get(accountId) ?? 0
      left.set(accountId, days - 1)
      return days > 0 ? '2026-03-01' : undefined
    },
  })
  const accounts = { list: async () => [...left.keys()].map((id) => ({ id }) as never) }
  const { clock, moveTo } = movable(Date.parse('2026-03-05T00:59:59.999Z'))
  const activity = createActivity({ activity: store, accounts, clock })
  assert.equal(await activity.closeDays(2), 2)
  assert.deepEqual(new Set(closedFor), new Set(['2026-03-04']))
  moveTo(Date.parse('2026-03-05T01:00:00Z'))
  closedFor.length = 0
  assert.equal(await activity.closeDays(9), 3)
  assert.deepEqual(new Set(closedFor), new Set(['2026-03-05']))
  assert.equal(await activity.closeDays(9, AbortSignal.abort()), 0)
})

test('an account whose days cannot be closed keeps the others neither in a run nor in the next ones', async () => {
  const ids = Array.from({ length: 12 }, (_, i) => `acct_${String(i).padStart(2, '0')}`)
  const stuck = new Set(['acct_03'])
  const lost = new Error('a statement took too long')
  const left = new Map(ids.map((id) => [id, 1]))
  const { store } = recording({
    async closeNextDay(accountId) {
      if (stuck.has(accountId)) throw lost
      const days = left.get(accountId) ?? 0
      left.set(accountId, 0)
      return days > 0 ? '2026-03-01' : undefined
    },
  })
  const accounts = { list: async () => ids.map((id) => ({ id }) as never) }
  const activity = createActivity({ activity: store, accounts, clock: { now: () => noon } })
  const open = () => ids.filter((id) => left.get(id) === 1)
  await assert.rejects(activity.closeDays(100), lost)
  assert.deepEqual(open(), ['acct_03'])
  for (const id of ids.slice(0, 11)) stuck.add(id)
  for (const id of ids) left.set(id, 1)
  for (let run = 0; run < 3; run += 1) await activity.closeDays(100).catch((error) => assert.equal(error, lost))
  assert.deepEqual(open(), ids.slice(0, 11))
})

test('counts requests on the day of their response, and writes them once', async () => {
  const { store, written } = recording()
  const midnight = Date.parse('2026-03-06')
  const { clock, moveTo } = movable(midnight - 1)
  const counts = createRequestCounts({ activity: store, clock, onError: assert.fail })
  for (const status of [200, 404, 500, 503]) counts.count('a', status)
  counts.count('b', 429)
  moveTo(midnight)
  counts.count('a', 302)
  await counts.flush()
  await counts.flush()
  counts.count('a', 401)
  await counts.close()
  assert.deepEqual(written, [
    [
      { accountId: 'a', day: '2026-03-05', requests: 4, refused: 2 },
      { accountId: 'b', day: '2026-03-05', requests: 1, refused: 1 },
      { accountId: 'a', day: '2026-03-06', requests: 1, refused: 0 },
    ],
    [{ accountId: 'a', day: '2026-03-06', requests: 1, refused: 1 }],
  ])
})

test('counts that cannot be written are written later, together with new ones', async () => {
  const errors: unknown[] = []
  let away = true
  const { store, written } = recording({
    async addRequests(rows) {
      counts.count('a', 200)
      if (away) throw new Error('away')
      written.push(rows)
    },
  })
  const counts = createRequestCounts({
    activity: store,
    clock: { now: () => noon },
    onError: (error) => errors.push(error),
  })
  counts.count('a', 404)
  await counts.flush()
  assert.equal(errors.length, 1)
  away = false
  await counts.close()
  assert.deepEqual(written, [[{ accountId: 'a', day: '2026-03-05', requests: 2, refused: 1 }]])
})

test('concurrent flushes write nothing twice', async () => {
  const { store, written } = recording()
  const counts = createRequestCounts({ activity: store, clock: { now: () => noon + dayMs }, onError: assert.fail })
  for (let i = 0; i < 10; i++) counts.count('a', 200)
  await Promise.all([counts.flush(), counts.flush(), counts.close()])
  assert.deepEqual(written, [[{ accountId: 'a', day: '2026-03-06', requests: 10, refused: 0 }]])
})
