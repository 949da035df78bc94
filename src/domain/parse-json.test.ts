import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../limits.ts'
import { parseJson } from './parse-json.ts'

const parsed = (text: string) => {
  const { value, problem } = parseJson(text)
  assert.equal(problem, undefined)
  return value
}
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

test('text with too many values is not parsed', () => {
  for (const text of [
    `[${'0,'.repeat(100_000)}0]`,
    `{"a":[${'[],'.repeat(60_000)}[]]}`,
    `[${'{"a":1},'.repeat(60_000)}{}]`,
    // Not valid JSON, which a parser finds at the end.
    `[${'"\\\\",'.repeat(100_000)}`,
    nested(100_001),
  ])
    assert.deepEqual(parseJson(text).problem, { path: '', message: 'must have at most 100,000 values' })
  const text = '\\",[{'.repeat(50_000)
  assert.deepEqual(parsed(JSON.stringify([text])), [text])
  const many = Array.from({ length: 99_000 }, (_, i) => i)
  assert.deepEqual(parsed(JSON.stringify(many)), many)
})

test('text with too many different names is not parsed', () => {
  const escapes = ['\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t']
  const escaped = (i: number) => [...i.toString(8)].map((digit) => escapes[Number(digit)]).join('')
  for (const name of [(i: number) => `p${i}`, (i: number) => `\u540D${i}`, escaped]) {
    const fields = (count: number) => Array.from({ length: count }, (_, i) => `"${name(i)}" : 1`)
    const tooMany = fields(25_000)
    const objects = tooMany.map((field) => `{${field}}`)
    for (const text of [`{${tooMany}}`, `[${objects}]`]) {
      const message = 'must have at most 20,000 different names of fields'
      assert.deepEqual(parseJson(text).problem, { path: '', message })
    }
    assert.equal(Object.keys(parsed(`{${fields(20_000)}}`) as object).length, 20_000)
  }
  const rows = Array.from({ length: 20_000 }, (_, i) => ({ id: `:${i}`, text: '":"' }))
  assert.deepEqual(parsed(JSON.stringify(rows)), rows)
})

test('nested levels are counted up to their limit, and a name that sets the prototype is refused', () => {
  const message = `must have at most ${limits.jsonDepthMax} nested levels`
  assert.deepEqual(parseJson(nested(limits.jsonDepthMax)).problem, undefined)
  for (const text of [nested(limits.jsonDepthMax + 1), nested(45_000), `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`])
    assert.deepEqual(parseJson(text).problem, { path: '', message })
  for (const text of ['{"__proto__":{"x":1}}', '{"a":[{"__proto__":1}]}'])
    assert.deepEqual(parseJson(text).problem, { path: '__proto__', message: 'is not an allowed name' })
  assert.deepEqual(parsed('{"a":[1,{"b":null}]}'), { a: [1, { b: null }] })
})

test('text that is not JSON has the reason of the parser', () => {
  for (const text of ['', '{', 'NaN', '"', '\\', ']]]]', '{"a', `"${'['.repeat(500)}`, `"${'\\'.repeat(30_001)}`])
    assert.match(parseJson(text).problem?.message ?? '', /^must be valid JSON\. \S/, text.slice(0, 30))
})
