import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failure } from '../errors.ts'
import { createKnownFailures } from './known-failures.ts'

test('a failure is known for some time, and the newest 1,000 are', () => {
  let now = 1_795_000_000_000
  const failures = createKnownFailures(30, { now: () => now })
  const fault = failure('input_invalid', 'It is not an image.')
  failures.add('img_0', fault)
  assert.equal(failures.find('img_0'), fault)
  assert.equal(failures.find('img_1'), undefined)
  now += 29_999
  for (let i = 1; i < 1_000; i += 1) failures.add(`img_${i}`, fault)
  assert.equal(failures.find('img_0'), fault)
  now += 1
  assert.equal(failures.find('img_0'), undefined)
  failures.add('img_0', fault)
  failures.add('img_1000', fault)
  assert.equal(failures.find('img_1'), undefined)
  for (const key of ['img_0', 'img_2', 'img_1000']) assert.equal(failures.find(key), fault, key)
})
