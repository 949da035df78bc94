import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLive } from './key.ts'

const never = { revokedAt: null, expiresAt: null }

test('a revoked key is rejected by a process whose clock is slightly behind', () => {
  const revokedAt = 10_000
  assert.equal(isLive({ ...never, revokedAt }, revokedAt), false)
  assert.equal(isLive({ ...never, revokedAt }, revokedAt - 900), false)
})

test('a key that will be revoked or will expire is valid until then', () => {
  assert.equal(isLive(never, 5_000), true)
  assert.equal(isLive({ ...never, revokedAt: 10_000 }, 5_000), true)
  assert.equal(isLive({ ...never, expiresAt: 10_000 }, 9_999), true)
  assert.equal(isLive({ ...never, expiresAt: 10_000 }, 10_000), false)
})
