import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowStore } from '../../domain/workflows/workflow.ts'
import { createChecker } from '../../engine/check/check.ts'
import { modelCatalogue, scriptedModels } from '../../engine/test-models.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createDocumentChecks } from './document-checks.ts'
import { bytesOf, createVersionCache, forRequest } from './version-cache.ts'

const document = {
  name: 'T',
  nodes: { a: { type: 'paint', params: { seed: 1, clear: true } } },
  output: { node: 'a' },
}
const workflows = { findVersion: async () => ({ document }) } as unknown as WorkflowStore
const executions = { findDocument: async () => undefined }
const version = (workflowVersion: number) => ({ accountId: 'acct', workflowId: 'wf', workflowVersion })

test('a version with unsupported model params fails with all problems and paths in the details', async () => {
  const before = createVersionCache({
    workflows,
    executions,
    documents: createDocumentChecks({ workflows, check: createChecker(modelCatalogue, scriptedModels('a/rich')) }),
  })
  await before.get(version(3))
  const now = createVersionCache({
    workflows,
    executions,
    documents: createDocumentChecks({ workflows, check: createChecker(modelCatalogue, scriptedModels('a/plain')) }),
  })
  await assert.rejects(now.get(version(3)), (error) => {
    assert.ok(error instanceof Fault)
    const { issues = [], reason } = error.details
    assert.equal(reason, 'input_invalid')
    assert.deepEqual(issues.map(({ path }) => path).sort(), ['nodes.a.params.clear', 'nodes.a.params.seed'])
    const [first] = issues
    const expected = `Version 3 of workflow "wf" is no longer valid: "${first?.path}" ${first?.message}. (1 more issue)`
    assert.equal(error.message, expected)
    return true
  })
  // A request is refused in the same way whether or not the process has already checked this version.
  await assert.rejects(forRequest(now.get(version(3))), (error) => {
    assert.ok(error instanceof Fault)
    assert.equal(error.code, 'invalid_request')
    assert.equal(error.details.reason, undefined)
    assert.deepEqual(error.details.issues?.map(({ path }) => path).sort(), [
      'nodes.a.params.clear',
      'nodes.a.params.seed',
    ])
    return true
  })
})

test('a version that was published with a name of white space is still executed, but not published again', async () => {
  const blank = { ...document, name: ' ' }
  const stored = { findVersion: async () => ({ document: blank }) } as unknown as WorkflowStore
  const documents = createDocumentChecks({ workflows: stored, check: createChecker(modelCatalogue) })
  const checked = createVersionCache({ workflows: stored, executions, documents })
  assert.equal((await checked.get(version(1))).document.name, ' ')
  const { issues } = await documents.check('acct', blank)
  assert.deepEqual(issues, [{ path: 'name', message: 'must be non-blank text without U+0000, not " "' }])
})

test('a checked workflow stays in memory only for accepted executions, and within the share of the account', async () => {
  let checks = 0
  const check = createChecker(modelCatalogue)
  const counting = (document: unknown) => {
    checks += 1
    return check(document)
  }
  const large = {
    name: 'T',
    parameters: [{ name: 'p', type: 'string', default: 'x' }],
    nodes: {
      n1: { type: 'paint' },
      ...Object.fromEntries([2, 3].map((i) => [`n${i}`, { type: 'paint', when: '{{ p }}'.repeat(2_500) }])),
    },
    output: { node: 'n1' },
  }
  const stored = { findVersion: async () => ({ document: large }) } as unknown as WorkflowStore
  const cache = createVersionCache({
    workflows: stored,
    executions,
    documents: createDocumentChecks({ workflows: stored, check: counting }),
  })

  const workflow = await cache.get(version(1))
  await cache.get(version(1))
  assert.equal(checks, 2, 'a request that asked for it leaves nothing')
  cache.keep(version(1), workflow)
  await cache.get(version(1))
  assert.equal(checks, 2)

  const fits = Math.floor(limits.checkedWorkflowsAccountBytesMax / bytesOf(workflow))
  assert.ok(fits >= 1 && fits <= 2)
  for (let i = 2; i <= fits + 1; i += 1) cache.keep(version(i), workflow)
  await cache.get(version(1))
  assert.equal(checks, 3, 'the least recently used one left')
  cache.keep({ ...version(9), isDraft: true }, workflow)
  await cache.get(version(9))
  assert.equal(checks, 4, 'a draft is not kept under the version that it began as')
})

test('requests for one version share its check', async () => {
  const check = createChecker(modelCatalogue)
  const started: string[] = []
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const stored = {
    async findVersion(workflowId: string) {
      started.push(workflowId)
      await finished
      return { document: { ...document, name: workflowId } }
    },
  } as unknown as WorkflowStore
  const cache = createVersionCache({
    workflows: stored,
    executions,
    documents: createDocumentChecks({ workflows: stored, check }),
  })
  const get = (accountId: string, workflowId: string) => cache.get({ accountId, workflowId, workflowVersion: 1 })
  const all = [get('acct', 'a'), get('acct', 'a'), get('acct', 'b'), get('acct', 'c'), get('other', 'd')]
  await new Promise(setImmediate)
  assert.deepEqual(started.toSorted(), ['a', 'b', 'c', 'd'])
  finish()
  const names = (await Promise.all(all)).map((workflow) => workflow.document.name)
  assert.deepEqual(names, ['a', 'a', 'b', 'c', 'd'])
  assert.deepEqual(started.toSorted(), ['a', 'b', 'c', 'd'])
})
