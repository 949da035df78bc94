import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maximumOf, type Quota, quotaNames, quotaRow } from '../domain/accounts/quota.ts'
import { readConfig, settings } from './config.ts'

test('without settings, each quota has the maximum of its row', () => {
  const { quotas } = readConfig({})
  assert.deepEqual(quotas, {})
  for (const quota of quotaNames) {
    const { max } = quotaRow(quota)
    assert.equal(maximumOf(quota, 'pro', quotas), max === null || typeof max === 'number' ? max : max.pro, quota)
  }
})

test('a setting replaces the maximum of the plans that it names', () => {
  const { quotas } = readConfig({
    IMAGES_MAX: 'starter=5,pro=none',
    FONTS_MAX: '3',
    ACCOUNT_STORAGE_MAX_BYTES: 'starter=7,enterprise=9',
    CACHE_MAX_BYTES: '0',
  })
  const maxima = (quota: Quota) =>
    (['starter', 'pro', 'enterprise'] as const).map((plan) => maximumOf(quota, plan, quotas))
  assert.deepEqual(maxima('images'), [5, null, null])
  assert.deepEqual(maxima('fonts'), [3, 3, 3])
  assert.deepEqual(maxima('storageBytes'), [7, 100 * 2 ** 30, 9])
  assert.deepEqual(maxima('cacheBytes'), [0, 0, 0])
  assert.deepEqual(maxima('workflows'), [10_000, 10_000, 10_000])
})

test('each quota that an operator can set has one setting, and invalid values are reported by its name', () => {
  const names = Object.values(settings).map(({ name }) => name)
  for (const quota of quotaNames) {
    const name = quotaRow(quota).setting?.name
    if (name === undefined) continue
    assert.equal(names.filter((each) => each === name).length, 1, name)
    assert.throws(() => readConfig({ [name]: 'many' }), new RegExp(`${name} must be a whole number from`))
  }
  assert.throws(() => readConfig({ FONTS_MAX: '201' }), /FONTS_MAX must be a whole number from 0 to 200/)
  assert.throws(() => readConfig({ PROJECTS_MAX: '0' }), /PROJECTS_MAX must be a whole number from 1/)
})
