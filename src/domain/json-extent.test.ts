import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../limits.ts'
import { extentProblem } from './json-extent.ts'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

test('nested levels and values are counted up to their limits', () => {
  assert.equal(extentProblem(nested(limits.jsonDepthMax)), undefined)
  assert.match(extentProblem(nested(limits.jsonDepthMax + 1)) ?? '', /nested levels/)
  assert.equal(extentProblem(`[${'{},[1],'.repeat(20_000)}1]`), undefined)
  assert.match(extentProblem(`[${'1,'.repeat(limits.jsonValuesMax)}1]`) ?? '', /100,000 values/)
})

test('brackets and commas in texts do not count, also behind escaped quotes', () => {
  for (const text of ['['.repeat(500), '{"'.repeat(500), '\\"['.repeat(500), ','.repeat(200_000), '\\'])
    assert.equal(extentProblem(JSON.stringify({ [text]: text })), undefined)
  assert.match(extentProblem(`["\\\\",${nested(500)}]`) ?? '', /nested levels/)
})

test('text that is not JSON is left to the parser', () => {
  for (const text of ['', '"', '\\', ']]]]', '{"a', `"${'['.repeat(500)}`]) assert.equal(extentProblem(text), undefined)
})
