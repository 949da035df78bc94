import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Execution } from '../../api/types.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import type { NodeRun } from './node-runs.ts'
import { isOutdated } from './outdated.ts'

const document: WorkflowDocument = {
  name: 'Card',
  nodes: {},
  output: { node: 'soft', format: 'png' },
  outputs: { small: { node: 'photo', width: 600 } },
}
const done: NodeRun = { status: 'completed' }
const run = (stale: readonly string[] = [], execution: Partial<Execution> = {}) => ({
  execution: execution as Execution,
  nodes: new Map(['photo', 'soft'].map((id) => [id, stale.includes(id) ? { ...done, isStale: true } : done])),
  executed: document,
})

test('an output is outdated after a change that can change it', () => {
  assert.equal(isOutdated(run(), document), false)
  assert.equal(isOutdated(run(['soft']), document), true)
  assert.equal(isOutdated(run(['soft']), document, 'small'), false)
  assert.equal(isOutdated(run(), { ...document, output: { node: 'other', format: 'png' } }), true)
  assert.equal(isOutdated(run(), { ...document, output: { node: 'soft', format: 'webp' } }), true)
  assert.equal(isOutdated(run(), { ...document, outputs: {} }, 'small'), true)
})

test('a run up to a node has the image of that node', () => {
  assert.equal(isOutdated(run(['soft'], { node: 'photo' }), document), false)
  assert.equal(isOutdated(run(['photo'], { node: 'photo' }), document), true)
})

test('without steps and without the executed document, nothing is known to be outdated', () => {
  assert.equal(isOutdated({ ...run(['soft']), nodes: new Map() }, document), false)
  assert.equal(isOutdated({ ...run(), executed: undefined }, { ...document, output: { node: 'soft' } }), false)
})
