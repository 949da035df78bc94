import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { createDocumentStore } from '../state/document-store.ts'
import { pasteNodes } from './clipboard.ts'
import { addNode, connect, disconnect, duplicateNodes, insertOnWire, removeNodes, renameNode } from './edits.ts'
import { setPositions } from './layout.ts'
import { addOutput, addPreset, presets, removeOutput, renameOutput } from './outputs.ts'
import { addParameter, removeParameter, renameParameter } from './parameters.ts'
import { testCatalogue as catalogue } from './test-catalogue.ts'
import {
  dependsOn,
  freeSocket,
  outputId,
  outputInputs,
  sourcesOf,
  takesManyImages,
  topologicalOrder,
  wireProblem,
  wiresOf,
} from './wires.ts'

/** Random edits: the numbers choose among the possible actions. */
type Deed = (document: WorkflowDocument, a: number, b: number) => void

const pick = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % Math.max(1, items.length)]
const ids = (document: WorkflowDocument) => Object.keys(document.nodes)
const types = [...catalogue.keys()]
const isMany = (document: WorkflowDocument, target: string, socket: string) =>
  target === outputId ? takesManyImages(document, socket) : isManyOfNode(document, target, socket)
const isManyOfNode = (document: WorkflowDocument, target: string, socket: string) =>
  catalogue.get(document.nodes[target]?.type ?? '')?.inputs.some(({ name, many }) => name === socket && many) ?? false

const deeds: Record<string, Deed> = {
  add: (document, a, b) =>
    void addNode(document, { type: pick(types, a) ?? 'make', ...(b % 2 ? { at: { x: a, y: b } } : {}) }),
  connect(document, a, b) {
    const source = pick(ids(document), a)
    const target = pick([...ids(document), outputId], b)
    if (source === undefined || target === undefined) return
    const socket = freeSocket(document, catalogue, target)
    if (socket === undefined || wireProblem(document, catalogue, { source, target, socket }) !== undefined) return
    connect(document, { source, target, socket }, isMany(document, target, socket))
  },
  disconnect(document, a) {
    const wire = pick(wiresOf(document), a)
    if (wire !== undefined) disconnect(document, wire)
  },
  insert(document, a, b) {
    const wire = pick(wiresOf(document), a)
    if (wire === undefined) return
    const id = addNode(document, { type: b % 2 ? 'blur' : 'grid' })
    insertOnWire(document, wire, id, b % 2 ? 'image' : 'images', b % 2 === 0)
  },
  remove(document, a, b) {
    const chosen = [pick(ids(document), a), pick(ids(document), b)].filter((id) => id !== undefined)
    removeNodes(document, chosen, { bridge: a % 2 === 0, catalogue })
  },
  rename(document, a, b) {
    const id = pick(ids(document), a)
    if (id !== undefined) renameNode(document, id, `n${b}`)
  },
  duplicate(document, a, b) {
    const chosen = [pick(ids(document), a), pick(ids(document), b)].filter((id) => id !== undefined)
    duplicateNodes(document, chosen, new Map(chosen.map((id) => [id, { x: a, y: b }])))
  },
  paste(document, a, b) {
    const nodes = { make: { type: 'make' }, blur: { type: 'blur', inputs: { image: b % 2 ? 'make' : 'gone' } } }
    pasteNodes(document, { name: '', nodes, output: { node: 'blur' } }, a % 2 ? { x: a, y: b } : undefined)
  },
  read(document, a, b) {
    const [reader, read] = [pick(ids(document), a), pick(ids(document), b)]
    if (reader === undefined || read === undefined || dependsOn(document, read, reader)) return
    const node = document.nodes[reader]
    if (node) node.params = { ...node.params, x: `{{ nodes.${read}.width }}` }
  },
  move(document, a, b) {
    const id = pick([...ids(document), outputId], a)
    if (id !== undefined) setPositions(document, [[id, { x: a, y: b }]])
  },
  addOutput: (document, a, b) =>
    void (b % 2 ? addOutput(document, pick(['image', 'set', 'pdf'] as const, a) ?? 'image') : preset(document, a)),
  removeOutput(document, a) {
    const name = pick(Object.keys(document.outputs ?? {}), a)
    if (name !== undefined) removeOutput(document, name)
  },
  renameOutput(document, a, b) {
    const name = pick(Object.keys(document.outputs ?? {}), a)
    if (name !== undefined) renameOutput(document, name, `o${b}`)
  },
  addParameter: (document) => void addParameter(document),
  renameParameter(document, a, b) {
    const parameter = pick(document.parameters ?? [], a)
    if (parameter) renameParameter(document, parameter.name, `p${b}`)
  },
  removeParameter(document, a) {
    const parameter = pick(document.parameters ?? [], a)
    if (parameter) removeParameter(document, parameter.name)
  },
}

function preset(document: WorkflowDocument, at: number): void {
  const [first] = presets
  const chosen = pick(presets, at) ?? first
  if (chosen !== undefined) addPreset(document, chosen)
}

const names = Object.keys(deeds)
const hands = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(50), fc.nat(50)), { maxLength: 40 })

test('after any edits, every wire has an existing source, and no node depends on itself', () => {
  fc.assert(
    fc.property(hands, (done) => {
      const editor = createDocumentStore({ name: 'Test', nodes: {} })
      for (const [name, a, b] of done) {
        editor.getState().change(name, (document) => deeds[name]?.(document, a, b))
        const { document } = editor.getState()
        for (const node of Object.values(document.nodes))
          for (const [socket, input] of Object.entries(node.inputs ?? {})) {
            for (const source of sourcesOf(input))
              assert.ok(Object.hasOwn(document.nodes, source), `${name}: ${source}`)
            assert.ok(sourcesOf(input).length > 0, `${name} left ${socket} empty`)
          }
        for (const { socket, input } of outputInputs(document))
          for (const source of sourcesOf(input))
            assert.ok(Object.hasOwn(document.nodes, source), `${name}: ${socket} of the output from ${source}`)
        const order = topologicalOrder(document)
        for (const { source, target } of wiresOf(document))
          if (target !== outputId) assert.ok(order.indexOf(source) < order.indexOf(target), `${name} made a circle`)
      }
    }),
    { numRuns: 200 },
  )
})

test('undoing everything restores the first state, and redoing everything the last one', () => {
  fc.assert(
    fc.property(hands, (done) => {
      const first: WorkflowDocument = { name: 'Test', nodes: {} }
      const editor = createDocumentStore(first)
      const states = [first]
      for (const [name, a, b] of done) {
        editor.getState().change(name, (document) => deeds[name]?.(document, a, b))
        if (editor.getState().document !== states.at(-1)) states.push(editor.getState().document)
      }
      for (const state of states.toReversed().slice(1)) {
        editor.getState().undo()
        assert.equal(editor.getState().document, state)
      }
      assert.deepEqual(editor.getState().past, [])
      for (const state of states.slice(1)) {
        editor.getState().redo()
        assert.equal(editor.getState().document, state)
      }
    }),
    { numRuns: 100 },
  )
})
