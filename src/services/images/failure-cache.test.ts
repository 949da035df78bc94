import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createFailureCache } from './failure-cache.ts'

test('a failure is known for some time', () => {
  let now = 1_795_000_000_000
  const failures = createFailureCache(30, { now: () => now })
  const fault = failure('input_invalid', 'It is not an image.')
  failures.add('acct_1', 'img_0', fault)
  assert.equal(failures.find('img_0'), fault)
  assert.equal(failures.find('img_1'), undefined)
  now += 29_999
  assert.equal(failures.find('img_0'), fault)
  now += 1
  assert.equal(failures.find('img_0'), undefined)
})

test('a failure is not known for longer because the clock was set back', () => {
  let now = 1_795_000_000_000
  const failures = createFailureCache(30, { now: () => now })
  failures.add('acct_1', 'img_0', failure('input_invalid', 'It is not an image.'))
  now -= 86_400_000
  assert.equal(failures.find('img_0'), undefined)
})

test('an account forgets its oldest failures above its share, and no failure of others', () => {
  const failures = createFailureCache(30, { now: () => 1_795_000_000_000 })
  const other = { issues: [] }
  failures.add('acct_2', 'other', other)
  const large = { issues: ['x'.repeat(limits.knownFailuresAccountBytesMax / 8)] }
  for (const key of ['a', 'b', 'c', 'd']) failures.add('acct_1', key, large)
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => failures.find(key)),
    [undefined, large, large, large],
  )
  assert.equal(failures.find('other'), other)
})
