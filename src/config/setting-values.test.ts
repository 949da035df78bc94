import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysByPlan } from './setting-values.ts'

test('days by plan are one number for all plans, or a number for each named plan', () => {
  assert.deepEqual(daysByPlan('30'), { free: 30, starter: 30, pro: 30, enterprise: 30 })
  assert.deepEqual(daysByPlan('starter=7, pro=90'), { starter: 7, pro: 90 })
  for (const text of ['', '0', '1.5', '10000', 'starter', 'starter=', 'gold=3', 'pro=1,pro=2', 'pro=1=2', '3,pro=1'])
    assert.throws(() => daysByPlan(text), /must be a whole number of days/, text)
})
