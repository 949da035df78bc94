import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowDocument } from '../../../api/workflow-document.ts'
import { positionsOf } from '../../document/layout.ts'
import { testCatalogue } from '../../document/test-catalogue.ts'
import { createCanvasStore, type PaletteRequest } from '../../state/canvas.ts'
import { createDocumentStore } from '../../state/document-store.ts'
import type { Editor } from '../../state/editor.ts'
import { addOperation } from './add.ts'

const chain: WorkflowDocument = {
  name: 'Chain',
  nodes: {
    photo: { type: 'make' },
    both: { type: 'lay', inputs: { image: 'photo' } },
    soft: { type: 'blur', inputs: { image: 'both' } },
  },
  output: { node: 'soft' },
  layout: { photo: [0, 0], both: [400, 0], soft: [800, 0] },
}

function added(request: PaletteRequest, type: string) {
  const document = createDocumentStore(chain)
  const editor = {
    ...{ document, canvas: createCanvasStore(), catalogue: testCatalogue },
    view: { autoPositions: new Map(), usesPointer: false },
    run: { getState: () => ({ nodes: new Map(), values: {} }) },
  } as unknown as Editor
  // The card isn't drawn, so that nothing moves the focus to it.
  Object.assign(globalThis, { requestAnimationFrame: () => 0 })
  const id = addOperation(editor, request, { type, id: 'new' }, null)
  Reflect.deleteProperty(globalThis, 'requestAnimationFrame')
  const { nodes, output } = document.getState().document
  return { nodes, output, position: positionsOf(document.getState().document).get(id) }
}

test('an operation without inputs is placed next to the selected node, and connected to a free input of it', () => {
  const beside = added({ from: 'photo' }, 'make')
  assert.deepEqual(beside.nodes, { ...chain.nodes, new: { type: 'make' } })
  assert.equal(beside.position?.x, 0)
  assert.ok((beside.position?.y ?? 0) > 0)
  assert.deepEqual(beside.output, { node: 'soft' })
  const overlay = added({ from: 'both' }, 'make')
  assert.deepEqual(overlay.nodes.both?.inputs, { image: 'photo', overlay: 'new' })
  assert.ok((overlay.position?.x ?? 400) < 400)
  assert.deepEqual(overlay.output, { node: 'soft' })
})

test('on a wire, only an operation with an input and an image is inserted', () => {
  const wire = { source: 'both', target: 'soft', socket: 'image' }
  assert.deepEqual(added({ wire }, 'blur').nodes.soft?.inputs, { image: 'new' })
  assert.deepEqual(added({ wire }, 'make').nodes, { ...chain.nodes, new: { type: 'make' } })
  const toOverlay = added({ wire: { source: 'photo', target: 'both', socket: 'image' } }, 'make')
  assert.deepEqual(toOverlay.nodes.both?.inputs, { image: 'photo', overlay: 'new' })
  assert.deepEqual(added({ wire: { source: 'soft', target: '$output', socket: 'image' } }, 'make').output, {
    node: 'soft',
  })
})

test('an operation without an image reads the image of the selected node or wire, and interrupts nothing', () => {
  const wire = { source: 'both', target: 'soft', socket: 'image' }
  for (const request of [{ from: 'both' }, { wire }]) {
    const { nodes, output } = added(request, 'read')
    assert.deepEqual(nodes, { ...chain.nodes, new: { type: 'read', inputs: { image: 'both' } } })
    assert.deepEqual(output, { node: 'soft' })
  }
  assert.deepEqual(added({ to: { target: 'both', socket: 'overlay' } }, 'read').nodes.both, chain.nodes.both)
})
