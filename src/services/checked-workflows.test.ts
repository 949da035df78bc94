import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowStore } from '../domain/workflow.ts'
import { createChecker } from '../engine/check.ts'
import { askingCatalogue, scriptedModels } from '../engine/test-asks.ts'
import { Fault } from '../errors.ts'
import { createCheckedWorkflows } from './checked-workflows.ts'

const document = {
  name: 'T',
  nodes: { a: { type: 'paint', params: { seed: 1, clear: true } } },
  output: { node: 'a' },
}
const workflows = { findVersion: async () => ({ document }) } as unknown as WorkflowStore
const executions = { findDocument: async () => undefined }

test('a version that models no longer take fails with what is wrong and where, and all of it in the details', async () => {
  const before = createCheckedWorkflows({
    workflows,
    executions,
    check: createChecker(askingCatalogue, scriptedModels('a/rich')),
  })
  await before.get('wf', 3)
  const now = createCheckedWorkflows({
    workflows,
    executions,
    check: createChecker(askingCatalogue, scriptedModels('a/plain')),
  })
  await assert.rejects(now.get('wf', 3), (error) => {
    assert.ok(error instanceof Fault)
    const { issues = [], reason } = error.details
    assert.equal(reason, 'input_invalid')
    assert.deepEqual(issues.map(({ path }) => path).sort(), ['nodes.a.params.clear', 'nodes.a.params.seed'])
    const [first] = issues
    const what = `Version 3 of the workflow is not valid any more: ${first?.path}: ${first?.message} (and 1 more)`
    assert.equal(error.message, what)
    return true
  })
})
