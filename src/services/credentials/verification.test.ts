import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { StagedBlob } from '../../domain/images/image.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createVerification } from './verification.ts'

const staged: StagedBlob = { bytes: 1, sha256: '', path: '/none', commit: async () => {}, discard: async () => {} }
const never = new AbortController().signal

it('an account with too many files that wait is refused, and other accounts are not', async () => {
  const turns = Promise.withResolvers<undefined>()
  // Files that wait for their turn are not opened.
  const verification = createVerification({ credentials: { read: () => turns.promise }, formatOf: () => 'png' })
  const verify = (account: string) => verification.verify(account, staged, { signal: never })
  const waiting = Array.from({ length: limits.verificationsWaitingMax }, () => verify('a'))
  const refused = await verify('a').catch((error) => error)
  assert.ok(refused instanceof Fault && refused.code === 'rate_limited', String(refused))
  assert.equal(refused.details.limit, limits.verificationsWaitingMax)
  const other = verify('b')
  turns.reject(new Error('the turn came'))
  const outcomes = await Promise.allSettled([...waiting, other])
  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  await assert.rejects(verify('a'), /the turn came/)
})
