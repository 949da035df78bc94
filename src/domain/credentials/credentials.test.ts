import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayHaveCredentials } from './credentials.ts'

test('credentials are found wherever their label is in a file', async () => {
  for (const at of [0, 1_048_573, 1_048_574, 1_048_575, 1_048_576, 2_097_149]) {
    const bytes = Buffer.alloc(2_097_153)
    bytes.write('c2pa', at)
    assert.equal(await mayHaveCredentials({ format: 'jpeg', bytes }), true, `${at}`)
    assert.equal(await mayHaveCredentials({ format: 'gif', bytes }), false)
    assert.equal(await mayHaveCredentials({ format: 'svg', bytes }), false)
  }
})
