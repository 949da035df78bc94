import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { neededNodes, parametersOf, partUpTo } from './part.ts'

const document: WorkflowDocument = {
  name: '',
  parameters: [
    { name: 'thing', type: 'string', required: true },
    { name: 'gap', type: 'number' },
  ],
  nodes: {
    words: { type: 'write', params: { prompt: 'About {{ thing }}' } },
    scene: { type: 'generate', params: { prompt: '{{ nodes.words.text }}' } },
    small: { type: 'resize', inputs: { image: 'scene' } },
    grid: { type: 'grid', inputs: { images: ['small'] }, params: { gap: '{{ gap }}' } },
  },
  output: { node: 'grid' },
}

test('a part has the node and all that it needs, by wires and templates, without required parameters', () => {
  const part = partUpTo(document, 'small')
  assert.deepEqual(Object.keys(part.nodes), ['words', 'scene', 'small'])
  assert.deepEqual(part.output, { node: 'small' })
  assert.deepEqual(
    part.parameters?.map(({ required }) => required),
    [false, false],
  )
  assert.notEqual(part.name, '')
})

test('a node depends on the parameters of all nodes before it, unless a pin ends that', () => {
  assert.deepEqual(parametersOf(document, 'small'), ['thing'])
  assert.deepEqual(parametersOf(document, 'grid'), ['thing', 'gap'])
  const { scene } = document.nodes
  assert.ok(scene)
  const pinned = { ...document, nodes: { ...document.nodes, scene: { ...scene, pinned: 'img_1' } } }
  assert.deepEqual([...neededNodes(pinned, 'grid')].sort(), ['grid', 'scene', 'small'])
  assert.deepEqual(parametersOf(pinned, 'grid'), ['gap'])
})
