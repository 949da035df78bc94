import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invalidRequest } from '../../errors.ts'
import { runLinkFault } from './run-link-fault.ts'

test('only issues of sent values and files keep their messages', () => {
  const issues = (...paths: string[]) => {
    const fault = runLinkFault(invalidRequest(paths.map((path) => ({ path, message: 'is wrong' }))), 'req_1')
    return fault.details.issues?.map(({ path }) => path)
  }
  assert.deepEqual(issues('parameters.photo', 'file', 'nodes.small'), ['parameters.photo', 'file'])
  // Paths of the document.
  for (const path of ['parameters', 'parameters.0', 'parameters.0.default']) assert.deepEqual(issues(path), [''])
})
