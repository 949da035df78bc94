import assert from 'node:assert/strict'
import { test } from 'node:test'
import { banner } from './banner.ts'

const facts = { version: '1.0.0', publicUrl: 'http://localhost:8080', dataDir: '/data', hasConsole: true }
const workflow = { id: 'wf_1', parameters: { headline: "It's" } }
const key = 'tt_live_abc'

test('the first key is printed once, in a command that runs as it is pasted', () => {
  const text = banner({ ...facts, first: { key, workflow } })
  assert.equal(text.split(key).length, 2)
  assert.match(text, /^curl .* -H 'Authorization: Bearer tt_live_abc' .* -d '\{.*It'\\''s/m)
  assert.equal(banner({ ...facts, first: { key, workflow: undefined } }).split(key).length, 2)
})

test('a key that has a file is not printed', () => {
  const text = banner({ ...facts, first: { key, keyFile: '/data/first-key', workflow } })
  assert.ok(!text.includes(key))
  assert.match(text, /API key {4}\/data\/first-key/)
  assert.match(text, /-H "Authorization: Bearer \$\(cat '\/data\/first-key'\)"/)
})

test('a start that is not the first prints no key', () => {
  assert.doesNotMatch(banner({ ...facts, first: undefined }), /API key|curl/)
})
