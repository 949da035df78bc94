import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLive } from './key.ts'

const never = { revokedAt: null, expiresAt: null }

test('a key that was revoked holds no more in a process whose clock is a little behind', () => {
  const revokedAt = 10_000
  assert.equal(isLive({ ...never, revokedAt }, revokedAt), false)
  assert.equal(isLive({ ...never, revokedAt }, revokedAt - 900), false)
})

test('a key that is revoked for later, or expires later, holds until then', () => {
  assert.equal(isLive(never, 5_000), true)
  assert.equal(isLive({ ...never, revokedAt: 10_000 }, 5_000), true)
  assert.equal(isLive({ ...never, expiresAt: 10_000 }, 9_999), true)
  assert.equal(isLive({ ...never, expiresAt: 10_000 }, 10_000), false)
})
