import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../api/client.ts'
import { problemOf } from './preview-problem.ts'

test('the problem of a preview is a sentence with its subject', () => {
  const problem = (path: string, message: string) => {
    const body = { error: { code: 'invalid_request', message: 'Invalid', details: { issues: [{ path, message }] } } }
    return problemOf(new ApiError(400, body as never))
  }
  const kind = 'invalid'
  assert.deepEqual(problem('nodes.logo.inputs.overlay', 'is required.'), { kind, message: 'logo.overlay is required.' })
  assert.deepEqual(problem('nodes.part', "can't be executed: it is outside."), {
    kind,
    message: "part can't be executed: it is outside.",
  })
  assert.deepEqual(problem('output', 'The output is missing.'), { kind, message: 'The output is missing.' })
})
