import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { mayHaveCredentials } from './credentials.ts'

test('other work has turns while a large file is searched for credentials', async () => {
  // Each byte could be the start of the label.
  const bytes = Buffer.alloc(4 * 1_048_576, 'c')
  let isDone = false
  let turns = 0
  const search = mayHaveCredentials({ format: 'jpeg', bytes }).finally(() => {
    isDone = true
  })
  for (; !isDone; turns += 1) await setImmediate()
  assert.equal(await search, false)
  assert.ok(turns >= 3, `${turns} turns`)
})

test('credentials are found wherever their label is in a file', async () => {
  for (const at of [0, 1_048_573, 1_048_574, 1_048_575, 1_048_576, 2_097_149]) {
    const bytes = Buffer.alloc(2_097_153)
    bytes.write('c2pa', at)
    assert.equal(await mayHaveCredentials({ format: 'jpeg', bytes }), true, `${at}`)
    assert.equal(await mayHaveCredentials({ format: 'gif', bytes }), false)
    assert.equal(await mayHaveCredentials({ format: 'svg', bytes }), false)
  }
})
