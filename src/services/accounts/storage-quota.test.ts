import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account } from '../../domain/accounts/account.ts'
import { QuotaReached } from '../../domain/accounts/quota.ts'
import { createStorageQuota } from './storage-quota.ts'

type Limited = Pick<Account, 'plan' | 'storageBytesMax'>

function setup(account: Limited, { bytes = 0, bytesMax }: { bytes?: number; bytesMax?: number | undefined } = {}) {
  const state = { bytes, reads: 0, now: 0 }
  const quota = createStorageQuota({
    accounts: {
      find: async (id) => ({ id, name: id, rateLimit: null, createdAt: 0, ...account }),
      storedBytes: async () => {
        state.reads += 1
        return state.bytes
      },
    },
    bytesMax,
    now: () => state.now,
  })
  return { quota, state }
}

test('the maximum is the one of the account, of the operator, or of the plan, in this order', async () => {
  const of = async (account: Limited, bytesMax?: number) =>
    (await setup(account, { bytesMax }).quota.of({ id: 'acct_1', ...account })).bytesMax
  assert.equal(await of({ plan: 'starter' }), 10 * 2 ** 30)
  assert.equal(await of({ plan: 'enterprise' }), null)
  assert.equal(await of({ plan: 'enterprise' }, 5), 5)
  assert.equal(await of({ plan: 'starter', storageBytesMax: 7 }, 5), 7)
  assert.equal(await of({ plan: 'starter', storageBytesMax: 0 }, 5), 0)
  assert.equal(await of({ plan: 'starter', storageBytesMax: 'none' }, 5), null)
})

test('an account at its maximum is refused, and accepted as soon as it stores less', async () => {
  const { quota, state } = setup({ plan: 'pro', storageBytesMax: 100 }, { bytes: 100 })
  await assert.rejects(quota.require('acct_1'), (error: unknown) => {
    assert.ok(error instanceof QuotaReached)
    assert.deepEqual([error.code, error.details], ['forbidden', { quota: 'storageBytes', limit: 100 }])
    return true
  })
  assert.equal(await quota.isReached('acct_1'), true)
  state.bytes = 99
  assert.equal(await quota.isReached('acct_1'), false)
  await quota.require('acct_1')
})

test('an account below its maximum is read again after five seconds', async () => {
  const { quota, state } = setup({ plan: 'pro', storageBytesMax: 100 })
  await quota.require('acct_1')
  state.bytes = 1_000
  state.now = 4_999
  await quota.require('acct_1')
  assert.equal(state.reads, 1)
  state.now = 5_000
  await assert.rejects(quota.require('acct_1'), QuotaReached)
})
