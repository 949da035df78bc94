import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../limits.ts'
import { createDeliverySweep, type SweptDeliveries } from './webhook-retention.ts'

/** Ended deliveries of each account, by number. */
function storeOf(ended: Record<string, number>, notices = { old: 0 }) {
  const calls: string[] = []
  const largest = { rows: 0 }
  const deliveries: SweptDeliveries = {
    async sweepNotices(_, rowsMax) {
      const count = Math.min(rowsMax, notices.old)
      notices.old -= count
      largest.rows = Math.max(largest.rows, count)
      return count
    },
    sweepOld: async () => 0,
    accounts: async () => Object.keys(ended),
    async findExcess(accountId, keptMax) {
      calls.push(`find ${accountId}`)
      const excess = (ended[accountId] ?? 0) - keptMax
      return excess > 0 ? { createdAt: 1, id: 'whd_1' } : undefined
    },
    async sweepUpTo(accountId, _, rowsMax) {
      const left = ended[accountId] ?? 0
      const count = Math.min(rowsMax, Math.max(0, left - limits.webhookDeliveriesKeptMax))
      ended[accountId] = left - count
      largest.rows = Math.max(largest.rows, count)
      calls.push(`remove ${accountId}`)
      return count
    },
    sweepQueues: async () => {},
  }
  return { deliveries, calls, largest }
}

const clock = { now: () => 1_795_000_100_000 }
const kept = limits.webhookDeliveriesKeptMax

test('the excess of an account is found once and removed in parts', async () => {
  const ended = { a: kept + 2_100, b: kept, c: kept + 1 }
  const { deliveries, calls, largest } = storeOf(ended)
  assert.equal(await createDeliverySweep({ deliveries, clock })(200_000), 2_101)
  assert.deepEqual(ended, { a: kept, b: kept, c: kept })
  assert.equal(calls.filter((call) => call.startsWith('find')).length, 3)
  assert.ok(largest.rows <= 500, `${largest.rows} rows at once`)
})

test('a run removes at most its number, and the next one begins with the other accounts', async () => {
  const ended = { a: kept + 900, b: kept + 900 }
  const sweep = createDeliverySweep({ deliveries: storeOf(ended).deliveries, clock })
  assert.equal(await sweep(600), 600)
  assert.deepEqual(ended, { a: kept + 300, b: kept + 900 })
  assert.equal(await sweep(900), 900)
  assert.deepEqual(ended, { a: kept + 300, b: kept })
})

test('old notices are removed in parts', async () => {
  const notices = { old: 1_700 }
  const { deliveries, largest } = storeOf({}, notices)
  const sweep = createDeliverySweep({ deliveries, clock })
  assert.equal(await sweep(1_200), 1_200)
  assert.equal(await sweep(1_200), 500)
  assert.ok(largest.rows <= 500, `${largest.rows} rows at once`)
})
