import assert from 'node:assert/strict'
import { test } from 'node:test'
import { methodsOfPaths, pathNotFound, shadowedMethods } from './methods.ts'

const paths = [
  { url: '/v1/workflows', methods: ['GET', 'HEAD'] },
  { url: '/v1/workflows', methods: ['POST'] },
  { url: '/v1/workflows/:workflowId', methods: ['GET', 'HEAD'] },
  { url: '/v1/workflows/:workflowId', methods: ['DELETE'] },
  { url: '/v1/workflows/execute', methods: ['POST'] },
  { url: '/openapi.json', methods: ['GET', 'HEAD'] },
]

test('a path has the methods of all its routes, with and without a trailing slash', () => {
  const methodsOf = methodsOfPaths(paths)
  for (const path of ['/v1/workflows', '/v1/workflows/']) assert.deepEqual(methodsOf(path), ['GET', 'HEAD', 'POST'])
  assert.deepEqual(methodsOf('/v1/workflows/wf_1'), ['DELETE', 'GET', 'HEAD'])
})

test('a literal path wins over a parameter', () => {
  assert.deepEqual(methodsOfPaths(paths)('/v1/workflows/execute'), ['POST'])
  assert.deepEqual(shadowedMethods(paths), [{ url: '/v1/workflows/execute', methods: ['GET', 'HEAD', 'DELETE'] }])
})

test('other paths have no methods', () => {
  const methodsOf = methodsOfPaths(paths)
  for (const path of ['/', '', '/v1', '/v1/workflows/a/b', '/v1/workflows//', '/V1/workflows', '/openapiXjson'])
    assert.equal(methodsOf(path), undefined, path)
})

test('an unknown path gets the most similar one, and below /v1 only paths below /v1', () => {
  const messageOf = (path: string) =>
    pathNotFound('GET', path, [...paths, { url: '/i/:file', methods: ['GET'] }]).message
  assert.match(messageOf('/v1/workflow/wf_1'), /Did you mean "\/v1\/workflows\/wf_1"\?/)
  assert.match(messageOf('/workflows/wf_1'), /Did you mean "\/v1\/workflows\/wf_1"\?/)
  assert.match(messageOf('/v1/nope'), /does not exist. See the paths in \/docs\./)
})
