import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { removeNodes, renameNode } from './edits.ts'
import { bypass, isBypassed, starsOf, toggleStar, turnOn } from './node-records.ts'

const documentWith = (when?: string): WorkflowDocument => ({
  name: 'Card',
  nodes: { photo: { type: 'image' }, soft: { type: 'blur', inputs: { image: 'photo' }, ...(when && { when }) } },
})

test('a bypassed node gets its condition back, also after it was renamed', () => {
  for (const when of [undefined, '{{ soft }}']) {
    const document = documentWith(when)
    const before = structuredClone(document.nodes.soft)
    bypass(document, 'soft')
    assert.equal(document.nodes.soft?.when, false)
    assert.equal(isBypassed(document, 'soft'), true)
    renameNode(document, 'soft', 'blurred')
    turnOn(document, 'blurred')
    assert.deepEqual(document.nodes.blurred, before)
    assert.deepEqual(Object.keys((document.layout ?? {}) as object), [])
  }
})

test('a star belongs to a result, whichever of its executions has it, and goes with its node', () => {
  const document = documentWith()
  toggleStar(document, 'soft', ['exec_2', 'exec_1'])
  toggleStar(document, 'soft', ['exec_9'])
  assert.deepEqual(starsOf(document, 'soft'), ['exec_9', 'exec_2'])
  toggleStar(document, 'soft', ['exec_3', 'exec_2', 'exec_1'])
  assert.deepEqual(starsOf(document, 'soft'), ['exec_9'])
  renameNode(document, 'soft', 'blurred')
  assert.deepEqual([starsOf(document, 'soft'), starsOf(document, 'blurred')], [[], ['exec_9']])
  removeNodes(document, ['blurred'])
  assert.deepEqual(starsOf(document, 'blurred'), [])
})
