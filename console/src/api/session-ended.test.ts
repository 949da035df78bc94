import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unwrap } from './client.ts'
import { clearSessionEnded, sessionEnded } from './session-ended.ts'

const refused = { response: new Response(null, { status: 401 }), error: {} }

test('a 401 ends the session', async () => {
  clearSessionEnded()
  await assert.rejects(unwrap(Promise.resolve(refused)))
  assert.equal(sessionEnded.getState().hasEnded, true)
})

test('a 401 of a request from before the sign-in does not end the new session', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof refused>()
  const late = unwrap(promise)
  clearSessionEnded()
  resolve(refused)
  await assert.rejects(late)
  assert.equal(sessionEnded.getState().hasEnded, false)
})
