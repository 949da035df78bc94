import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { changedNodes } from './stale.ts'

const document: WorkflowDocument = {
  name: 'Card',
  nodes: {
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    cover: { type: 'resize', inputs: { image: 'photo' }, params: { width: 100 } },
    sign: { type: 'text', params: { text: '{{ nodes.cover.width }}' } },
    qr: { type: 'qr', params: { text: 'x' } },
  },
  output: { node: 'sign' },
}

test('only the nodes that depend on a changed node by wire or template are stale', () => {
  const { nodes } = document
  const changed = { ...document, nodes: { ...nodes, photo: { type: 'image', params: { source: 'other' } } } }
  assert.deepEqual([...changedNodes(document, changed)].sort(), ['cover', 'photo', 'sign'])
  const leaf = { ...document, nodes: { ...nodes, qr: { type: 'qr', params: { text: 'y' } } } }
  assert.deepEqual([...changedNodes(document, leaf)], ['qr'])
})

test('an undone change leaves nothing stale', () => {
  assert.deepEqual([...changedNodes(document, structuredClone(document))], [])
})

test('moving cards makes no image stale', () => {
  assert.deepEqual([...changedNodes(document, { ...document, layout: { photo: [1, 1] } })], [])
})
