import assert from 'node:assert/strict'
import { test } from 'node:test'
import { produce } from 'immer'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { addNode, connect, disconnect, duplicateNodes, insertOnWire, removeNodes, renameNode } from './edits.ts'
import { testCatalogue as catalogue } from './test-catalogue.ts'
import { freeSocket, outputId, wireProblem, wiresOf } from './wires.ts'

const card: WorkflowDocument = {
  name: 'Card',
  nodes: {
    photo: { type: 'make' },
    soft: { type: 'blur', inputs: { image: 'photo' } },
    card: { type: 'lay', inputs: { image: 'soft', overlay: 'photo' }, params: { x: '{{ nodes.soft.width }}' } },
    all: { type: 'grid', inputs: { images: ['photo', 'soft', 'card'] } },
    words: { type: 'write', params: { text: '{{ nodes.card.width }}' } },
  },
  output: { node: 'card', name: '{{ nodes.photo.format }}' },
  layout: { photo: [0, 0], soft: [300, 0] },
}
const edited = (recipe: (document: WorkflowDocument) => void) => produce(card, recipe)

test('a new node is named after its type, with a unique id', () => {
  const next = edited((document) => {
    assert.equal(addNode(document, { type: 'blur' }), 'blur')
    assert.equal(addNode(document, { type: 'blur', at: { x: 10.4, y: 5 } }), 'blur-2')
    assert.equal(addNode(document, { type: 'make', id: 'photo' }), 'photo-2')
  })
  assert.deepEqual(next.nodes['blur-2'], { type: 'blur' })
  assert.deepEqual((next.layout as Record<string, unknown>)['blur-2'], [10, 5])
})

test('a wire replaces the wire in a single socket, and is added to those in a list socket', () => {
  const next = edited((document) => {
    connect(document, { source: 'photo', target: 'card', socket: 'image' }, false)
    connect(document, { source: 'photo', target: 'all', socket: 'images', index: 1 }, true)
    connect(document, { source: 'soft', target: outputId, socket: 'image' }, false)
  })
  assert.equal(next.nodes.card?.inputs?.image, 'photo')
  assert.deepEqual(next.nodes.all?.inputs?.images, ['photo', 'photo', 'soft', 'card'])
  assert.deepEqual(next.output, { node: 'soft', name: '{{ nodes.photo.format }}' })
})

test('an impossible wire is rejected with its reason', () => {
  const reason = (source: string, target: string, socket = 'image') =>
    wireProblem(card, catalogue, { source, target, socket })
  assert.match(reason('card', 'soft') ?? '', /cycle/)
  assert.match(reason('soft', 'soft') ?? '', /its own image/)
  assert.match(reason('words', 'soft') ?? '', /doesn’t return an image.*nodes\.words\.text/)
  assert.match(reason('photo', 'soft', 'overlay') ?? '', /doesn’t have an input overlay/)
  assert.match(reason('photo', 'words') ?? '', /doesn’t accept an image/)
  assert.match(reason(outputId, 'soft') ?? '', /last node/)
  assert.equal(reason('photo', 'card', 'mask'), undefined)
  const many = edited((document) => {
    if (document.nodes.photo) document.nodes.photo.each = 3
  })
  assert.match(
    wireProblem(many, catalogue, { source: 'soft', target: outputId, socket: 'image' }) ?? '',
    /list of images/,
  )
  assert.equal(wireProblem(many, catalogue, { source: 'all', target: outputId, socket: 'image' }), undefined)
})

test('a cycle through a template is rejected too', () => {
  const reads = edited((document) => {
    if (document.nodes.soft) document.nodes.soft.params = { sigma: '{{ nodes.words.text }}' }
  })
  assert.match(wireProblem(reads, catalogue, { source: 'card', target: 'soft', socket: 'image' }) ?? '', /cycle/)
})

test('a new wire goes to the socket that requires one', () => {
  const next = edited((document) => {
    if (document.nodes.card) document.nodes.card.inputs = { image: 'soft' }
  })
  assert.equal(freeSocket(next, catalogue, 'card'), 'overlay')
  assert.equal(freeSocket(card, catalogue, 'card'), 'mask')
  assert.equal(freeSocket(card, catalogue, 'soft'), undefined)
  assert.equal(freeSocket(card, catalogue, 'all'), 'images')
})

test('removing the last wire leaves no empty list', () => {
  const next = edited((document) => {
    disconnect(document, { source: 'photo', target: 'soft', socket: 'image' })
    disconnect(document, { source: 'soft', target: 'all', socket: 'images', index: 1 })
    disconnect(document, { source: 'card', target: outputId, socket: 'image' })
  })
  assert.deepEqual(next.nodes.soft, { type: 'blur' })
  assert.deepEqual(next.nodes.all?.inputs, { images: ['photo', 'card'] })
  assert.deepEqual(next.output, { name: '{{ nodes.photo.format }}' })
})

test('a node that is inserted on a wire is connected to both ends', () => {
  const next = edited((document) => {
    const id = addNode(document, { type: 'blur' })
    insertOnWire(document, { source: 'soft', target: 'all', socket: 'images', index: 1 }, id, 'image', false)
  })
  assert.deepEqual(next.nodes.blur?.inputs, { image: 'soft' })
  assert.deepEqual(next.nodes.all?.inputs, { images: ['photo', 'blur', 'card'] })
})

test('removing nodes connects their neighbours, or removes the wires', () => {
  const bridged = edited((document) => removeNodes(document, ['soft', 'card'], { bridge: true, catalogue }))
  assert.deepEqual(bridged.nodes.all?.inputs, { images: ['photo', 'photo', 'photo'] })
  assert.equal(bridged.output?.node, 'photo')
  assert.deepEqual(bridged.layout, { photo: [0, 0] })
  const cut = edited((document) => removeNodes(document, ['soft'], { catalogue }))
  assert.deepEqual(cut.nodes.card?.inputs, { overlay: 'photo' })
  assert.deepEqual(cut.nodes.all?.inputs, { images: ['photo', 'card'] })
})

test('a renamed node keeps its wires, its readers, its position and its order', () => {
  const next = edited((document) => assert.equal(renameNode(document, 'soft', 'blurred'), undefined))
  assert.deepEqual(Object.keys(next.nodes), ['photo', 'blurred', 'card', 'all', 'words'])
  assert.equal(next.nodes.card?.inputs?.image, 'blurred')
  assert.deepEqual(next.nodes.card?.params, { x: '{{ nodes.blurred.width }}' })
  assert.deepEqual(next.nodes.all?.inputs, { images: ['photo', 'blurred', 'card'] })
  assert.deepEqual(next.layout, { photo: [0, 0], blurred: [300, 0] })
  assert.equal(edited((document) => void renameNode(document, 'photo', 'p')).output?.name, '{{ nodes.p.format }}')
  edited((document) => {
    assert.match(renameNode(document, 'soft', 'card') ?? '', /already/)
    assert.match(renameNode(document, 'soft', 'My Node') ?? '', /letter a-z/)
  })
})

test('copies are wired among each other like the originals, and to the rest unchanged', () => {
  const next = edited(
    (document) => void duplicateNodes(document, ['soft', 'card'], new Map([['soft', { x: 1, y: 2 }]])),
  )
  assert.deepEqual(next.nodes['soft-2'], { type: 'blur', inputs: { image: 'photo' } })
  assert.deepEqual(next.nodes['card-2'], {
    type: 'lay',
    inputs: { image: 'soft-2', overlay: 'photo' },
    params: { x: '{{ nodes.soft-2.width }}' },
  })
  assert.deepEqual((next.layout as Record<string, unknown>)['soft-2'], [1, 2])
})

test('wires from a named output of a workflow keep it when nodes are renamed, copied and removed', () => {
  const document = (): WorkflowDocument => ({
    name: 'Cards',
    nodes: {
      badge: { type: 'workflow', workflow: 'badge@1' },
      all: { type: 'grid', inputs: { images: ['badge', 'badge.label'] } },
    },
    output: { node: 'badge.label' },
  })
  const changed = (recipe: (document: WorkflowDocument) => void) => {
    const next = document()
    recipe(next)
    return next
  }
  assert.deepEqual(wiresOf(document()), [
    { source: 'badge', target: 'all', socket: 'images', index: 0 },
    { source: 'badge', output: 'label', target: 'all', socket: 'images', index: 1 },
    { source: 'badge', output: 'label', target: outputId, socket: 'image' },
  ])
  const renamed = changed((next) => assert.equal(renameNode(next, 'badge', 'mark'), undefined))
  assert.deepEqual(renamed.nodes.all?.inputs, { images: ['mark', 'mark.label'] })
  assert.equal(renamed.output?.node, 'mark.label')
  const copied = changed((next) => void duplicateNodes(next, ['badge', 'all'], new Map()))
  assert.deepEqual(copied.nodes['all-2']?.inputs, { images: ['badge-2', 'badge-2.label'] })
  const removed = changed((next) => removeNodes(next, ['badge']))
  assert.equal(removed.nodes.all?.inputs, undefined)
  assert.equal(removed.output?.node, undefined)
})
