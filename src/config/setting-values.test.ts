import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysByPlan, quotaByPlan } from './setting-values.ts'

test('days by plan are one number for all plans, or a number for each named plan', () => {
  assert.deepEqual(daysByPlan('30'), { free: 30, starter: 30, pro: 30, enterprise: 30 })
  assert.deepEqual(daysByPlan('starter=7, pro=90'), { starter: 7, pro: 90 })
  for (const text of ['', '0', '1.5', '10000', 'starter', 'starter=', 'gold=3', 'pro=1,pro=2', 'pro=1=2', '3,pro=1'])
    assert.throws(() => daysByPlan(text), /must be a whole number of days/, text)
})

test('the maximum of a quota is a number or none, for all plans or for each named plan', () => {
  const parse = quotaByPlan(1, 500)
  assert.deepEqual(parse('500'), { free: 500, starter: 500, pro: 500, enterprise: 500 })
  assert.deepEqual(parse('none'), { free: null, starter: null, pro: null, enterprise: null })
  assert.deepEqual(parse('starter=1,pro=none'), { starter: 1, pro: null })
  for (const text of ['', '0', '501', '1.5', '-1', 'None', 'starter=0', 'gold=3', 'pro=1,pro=2', 'pro=1=2', '3,pro=1'])
    assert.throws(() => parse(text), /must be a whole number from 1 to 500, or none, or such a number by plan/, text)
})
