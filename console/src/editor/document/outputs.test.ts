import assert from 'node:assert/strict'
import { test } from 'node:test'
import { produce } from 'immer'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { pasteNodes } from './clipboard.ts'
import { diffDocuments } from './diff.ts'
import { connect, disconnect, insertOnWire, removeNodes, renameNode, reorderWire } from './edits.ts'
import { withExecutedPart } from './executed.ts'
import {
  addOutput,
  addPreset,
  outputNameProblem,
  type Preset,
  presets,
  removeOutput,
  renameOutput,
  setOutputKind,
} from './outputs.ts'
import { readParameters, removeParameter, renameParameter } from './parameters.ts'
import { testCatalogue as catalogue } from './test-catalogue.ts'
import { freeSocket, namedSocket, outputId, wireProblem, wiresOf } from './wires.ts'

const card: WorkflowDocument = {
  name: 'Card',
  parameters: [{ name: 'size', type: 'number', default: 90 }],
  nodes: {
    photo: { type: 'make' },
    soft: { type: 'blur', inputs: { image: 'photo' } },
    each: { type: 'make', each: 3 },
  },
  output: { node: 'soft' },
  outputs: {
    small: { node: 'photo', width: '{{ size }}', name: '{{ nodes.soft.width }}' },
    print: { node: ['photo', 'soft'], format: 'pdf' },
  },
}
const edited = (recipe: (document: WorkflowDocument) => void) => produce(card, recipe)
const wire = (source: string, name: string, index?: number) => ({
  source,
  target: outputId,
  socket: namedSocket(name),
  ...(index === undefined ? {} : { index }),
})

test('each output is a socket of the output card, and the pages of a PDF are a list', () => {
  const wires = wiresOf(card).filter(({ target }) => target === outputId)
  assert.deepEqual(wires, [
    { source: 'soft', target: outputId, socket: 'image' },
    wire('photo', 'small'),
    wire('photo', 'print', 0),
    wire('soft', 'print', 1),
  ])
})

test('a wire of an output can be set, added to the pages, reordered, replaced and removed', () => {
  const next = edited((document) => {
    connect(document, wire('soft', 'small'), false)
    connect(document, wire('each', 'print'), true)
    reorderWire(document, wire('each', 'print', 2), 0)
    insertOnWire(document, { source: 'soft', target: outputId, socket: 'image' }, 'photo', 'image', false)
  })
  assert.equal(next.outputs?.small?.node, 'soft')
  assert.deepEqual(next.outputs?.print?.node, ['each', 'photo', 'soft'])
  assert.equal(next.output?.node, 'photo')
  const without = edited((document) => {
    disconnect(document, wire('photo', 'small'))
    disconnect(document, wire('photo', 'print', 0))
  })
  assert.deepEqual(without.outputs?.small, { width: '{{ size }}', name: '{{ nodes.soft.width }}' })
  assert.deepEqual(without.outputs?.print?.node, ['soft'])
  assert.equal(freeSocket(without, catalogue, outputId), namedSocket('small'))
  assert.equal(freeSocket(card, catalogue, outputId), 'image')
})

test('only the pages of a PDF take a list of images', () => {
  assert.match(wireProblem(card, catalogue, wire('each', 'small')) ?? '', /list of images/)
  assert.equal(wireProblem(card, catalogue, wire('each', 'print')), undefined)
})

test('renaming and removing nodes and parameters changes the outputs that use them', () => {
  const renamed = edited((document) => {
    renameNode(document, 'soft', 'blurred')
    renameParameter(document, 'size', 'width')
  })
  assert.deepEqual(renamed.outputs, {
    small: { node: 'photo', width: '{{ width }}', name: '{{ nodes.blurred.width }}' },
    print: { node: ['photo', 'blurred'], format: 'pdf' },
  })
  assert.deepEqual([...readParameters(card)], ['size'])
  assert.equal(edited((document) => removeParameter(document, 'size')).outputs?.small?.width, 90)
  const bridged = edited((document) => removeNodes(document, ['soft'], { bridge: true, catalogue }))
  assert.deepEqual(bridged.outputs?.print?.node, ['photo', 'photo'])
  const removed = edited((document) => removeNodes(document, ['photo', 'soft']))
  assert.deepEqual(removed.outputs?.print, { format: 'pdf' })
  assert.equal(removed.output?.node, undefined)
})

test('a new output has the image of the primary one, and a name that is free', () => {
  const next = edited((document) => {
    assert.equal(addOutput(document, 'set'), 'photo')
    assert.equal(addOutput(document, 'set'), 'photo-2')
  })
  assert.equal(next.outputs?.photo?.node, 'soft')
  const empty = produce<WorkflowDocument>({ name: '', nodes: {} }, (document) => void addOutput(document, 'image'))
  assert.deepEqual(empty.outputs, { small: { width: 600 } })
})

test('a preset adds a node with its size and the output', () => {
  const next = edited((document) => {
    for (const preset of presets) addPreset(document, preset)
    addPreset(document, presets[1] as Preset)
  })
  assert.deepEqual(next.nodes['story-2'], {
    type: 'resize',
    inputs: { image: 'soft' },
    params: { width: 1080, height: 1920, fit: 'cover', position: 'attention' },
  })
  assert.deepEqual(next.outputs?.['story-2'], { node: 'story-2' })
  assert.deepEqual(Object.keys(next.outputs ?? {}).slice(2), [
    'link-preview',
    'story',
    'square',
    'pin',
    'wide',
    'display-ad',
    'story-2',
  ])
})

test('a preset that is larger than a cut image starts from the image that it was cut from', () => {
  const cut = (params: object, type = 'smart-crop') =>
    produce<WorkflowDocument>(
      {
        name: 'Cut',
        nodes: {
          photo: { type: 'image' },
          warm: { type: 'tint', inputs: { image: 'photo' } },
          part: { type: 'crop', inputs: { image: 'warm' }, params: { width: 1200, height: 1200 } },
          cut: { type, inputs: { image: 'part' }, params: { ...params } },
        },
        output: { node: 'cut' },
      },
      (document) => void addPreset(document, presets[1] as Preset),
    ).nodes.story?.inputs?.image
  assert.equal(cut({ width: 1080, height: 1080 }), 'warm')
  assert.equal(cut({ width: 2000, height: 2000 }), 'cut')
  assert.equal(cut({ width: '{{ width }}', height: '{{ height }}' }), 'cut')
  assert.equal(cut({ width: 1080, height: 1080 }, 'text'), 'cut')
})

test('a renamed output keeps its place, and names are checked', () => {
  const next = edited((document) => assert.equal(renameOutput(document, 'small', 'tiny'), undefined))
  assert.deepEqual(Object.keys(next.outputs ?? {}), ['tiny', 'print'])
  assert.match(outputNameProblem(card, 'print') ?? '', /already exists/)
  assert.match(outputNameProblem(card, 'No name') ?? '', /starts with a letter/)
  const none = edited((document) => {
    for (const name of ['small', 'print']) removeOutput(document, name)
  })
  assert.equal(none.outputs, undefined)
})

test('another kind of file keeps the settings that it has, and one node', () => {
  const options = ['name', 'quality']
  const next = edited((document) => setOutputKind(document, 'print', 'image', options))
  assert.deepEqual(next.outputs?.print, { node: 'photo' })
  const pdf = edited((document) => setOutputKind(document, 'small', 'pdf', options))
  assert.deepEqual(pdf.outputs?.small, {
    node: 'photo',
    name: '{{ nodes.soft.width }}',
    format: 'pdf',
    pageSize: 'A4',
  })
})

test('pasted outputs name the new nodes', () => {
  const pasted = structuredClone(card)
  const into: WorkflowDocument = { name: 'Other', nodes: { photo: { type: 'make' }, soft: { type: 'make' } } }
  const next = produce(into, (document) => void pasteNodes(document, pasted, undefined))
  assert.equal(next.output?.node, 'soft-2')
  assert.deepEqual(next.outputs?.small, {
    node: 'photo-2',
    width: '{{ size }}',
    name: '{{ nodes.soft-2.width }}',
  })
  assert.deepEqual(next.outputs?.print?.node, ['photo-2', 'soft-2'])
})

test('differences of outputs have their paths, and an earlier draft brings its outputs back', () => {
  const next = edited((document) => {
    removeOutput(document, 'small')
    addOutput(document, 'set')
  })
  const { outputs, isSame } = diffDocuments(card, next)
  assert.equal(isSame, false)
  assert.deepEqual(
    outputs.map(({ path, before, after }) => [path, before, after]),
    [
      ['small.node', 'photo', undefined],
      ['small.width', '{{ size }}', undefined],
      ['small.name', '{{ nodes.soft.width }}', undefined],
      ['photo.node', undefined, 'soft'],
      ['photo.widths', undefined, [480, 960, 1440, 1920]],
      ['photo.formats', undefined, ['avif', 'webp', 'jpeg']],
    ],
  )
  assert.deepEqual(withExecutedPart(next, card, false).outputs, card.outputs)
  assert.deepEqual(withExecutedPart(next, card, true).outputs, next.outputs)
})
