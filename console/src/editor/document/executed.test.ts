import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { withExecutedPart, withMissingPositions } from './executed.ts'

const current: WorkflowDocument = {
  name: 'Card',
  description: 'Now',
  parameters: [
    { name: 'title', type: 'string', required: true },
    { name: 'width', type: 'number', default: 20 },
  ],
  nodes: {
    sheet: { type: 'canvas', params: { width: 9 } },
    text: { type: 'text', inputs: { image: 'sheet' } },
    later: { type: 'blur', inputs: { image: 'text' } },
  },
  output: { node: 'later', format: 'webp' },
  layout: { sheet: [0, 0], later: [500, 0] },
}

const executed: WorkflowDocument = {
  name: 'Card',
  parameters: [
    { name: 'width', type: 'number', default: 10, required: false },
    { name: 'removed', type: 'string' },
  ],
  nodes: { sheet: { type: 'canvas', params: { width: 5 } }, gone: { type: 'blur', inputs: { image: 'sheet' } } },
  output: { node: 'gone', format: 'png' },
}

describe('the executed part of an earlier draft', () => {
  test('replaces its nodes and the output, and leaves all else', () => {
    const { nodes, output, parameters, ...rest } = withExecutedPart(current, executed, false)
    assert.deepEqual(nodes, { ...current.nodes, ...executed.nodes })
    assert.deepEqual(output, executed.output)
    assert.deepEqual(parameters, [current.parameters?.[0], ...(executed.parameters ?? [])])
    assert.deepEqual(rest, { name: 'Card', description: 'Now', layout: current.layout })
  })

  test('of a run to a node keeps the output, and the declarations of parameters that still exist', () => {
    const { nodes, output, parameters } = withExecutedPart(current, executed, true)
    assert.deepEqual(nodes, { ...current.nodes, ...executed.nodes })
    assert.deepEqual(output, current.output)
    assert.deepEqual(parameters, [...(current.parameters ?? []), executed.parameters?.[1]])
  })

  test('adds no empty parameters and no empty output', () => {
    const { parameters: _, output: __, ...bare } = current
    assert.deepEqual(Object.keys(withExecutedPart(bare, { name: '', nodes: {} }, true)), Object.keys(bare))
  })
})

describe('positions of an executed document', () => {
  const positions = new Map([
    ['sheet', { x: 1, y: 2 }],
    ['later', { x: 3, y: 4 }],
    ['$output', { x: 5, y: 6 }],
  ])

  test('come from the current document, for nodes that it has', () => {
    assert.deepEqual(withMissingPositions(executed, positions).layout, { sheet: [1, 2], $output: [5, 6] })
  })

  test('that the executed document has are kept, as its notes are', () => {
    const layout = { sheet: [7, 8], '$note-1': { text: 'x' } }
    assert.deepEqual(withMissingPositions({ ...executed, layout }, positions).layout, { ...layout, $output: [5, 6] })
    assert.deepEqual(layout, { sheet: [7, 8], '$note-1': { text: 'x' } })
  })
})
