import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAddressRates } from './addresses.ts'

test('requests are counted per address', async () => {
  const rates = createAddressRates()
  for (const used of [1, 2, 3]) assert.equal((await rates.count('203.0.113.7', 2)).used, used)
  assert.equal((await rates.count('203.0.113.8', 2)).used, 1)
})

test('any number of addresses share a fixed number of counters', async () => {
  const rates = createAddressRates(4)
  const used = await Promise.all(Array.from({ length: 400 }, (_, i) => rates.count(`203.0.113.${i}`, 1)))
  // Four counters for 400 addresses: the fullest counted at least a quarter.
  assert.ok(Math.max(...used.map((each) => each.used)) >= 100)
})
