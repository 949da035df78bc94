import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDocumentStore } from './document-store.ts'

const of = () => createDocumentStore({ name: 'Door', nodes: { scene: { type: 'generate' } } })

test('undo and redo restore the variations together with the document', () => {
  const store = of()
  const { vary, change, undo, redo } = store.getState()
  vary('New variation of scene', { scene: 'b' })
  change('Rename', (document) => {
    document.name = 'Gate'
  })
  const now = () => [store.getState().document.name, store.getState().variations.scene]
  assert.deepEqual(now(), ['Gate', 'b'])
  undo()
  assert.deepEqual(now(), ['Door', 'b'])
  undo()
  assert.deepEqual(now(), ['Door', undefined])
  redo()
  redo()
  assert.deepEqual(now(), ['Gate', 'b'])
})

test("the variations of a shown run aren't a change, and the document stays the same object", () => {
  const store = of()
  const { document, setVariations, vary } = store.getState()
  setVariations({ scene: 'a' })
  assert.equal(store.getState().past.length, 0)
  vary('Use another result', { scene: 'b' })
  assert.equal(store.getState().document, document)
  assert.deepEqual(store.getState().past.at(-1)?.variations, { scene: 'a' })
})

test('undo of a new node selects what was selected before it, and otherwise keeps the selection', () => {
  const store = of()
  const { change, select, undo, redo } = store.getState()
  const add = (id: string) => {
    change(`Add ${id}`, ({ nodes }) => void Object.assign(nodes, { [id]: { type: 'blur' } }))
    select([id])
  }
  select(['scene'])
  add('soft')
  add('softer')
  undo()
  assert.deepEqual(store.getState().selection, ['soft'])
  undo()
  assert.deepEqual(store.getState().selection, ['scene'])
  redo()
  assert.deepEqual(store.getState().selection, ['scene'])
  select([])
  undo()
  assert.deepEqual(store.getState().selection, [])
})

function begin() {
  const store = createDocumentStore({ name: 'a', nodes: {} })
  const rename = (name: string, options: { key?: string } = {}) =>
    store.getState().change('Rename', (document) => void Object.assign(document, { name }), options)
  return { store, rename, name: () => store.getState().document.name }
}

test('the changes of a gesture are one step of the history, and the next gesture is another one', () => {
  const { store, rename, name } = begin()
  rename('b', { key: 'drag' })
  rename('c', { key: 'drag' })
  store.getState().endGesture()
  rename('d', { key: 'drag' })
  store.getState().endGesture()
  assert.equal(store.getState().past.length, 2)
  store.getState().undo()
  assert.equal(name(), 'c')
  store.getState().undo()
  assert.equal(name(), 'a')
})

test('a gesture that is cancelled, or ends where it started, leaves no step', () => {
  const { store, rename, name } = begin()
  const { document } = store.getState()
  rename('b', { key: 'drag' })
  store.getState().cancelGesture('drag')
  assert.deepEqual([name(), store.getState().past.length], ['a', 0])
  const change = (to: string) =>
    store
      .getState()
      .change('Rename', (draft) => void Object.assign(draft, { name: to }), { key: 'drag', from: document })
  change('b')
  change('a')
  store.getState().endGesture()
  assert.deepEqual([name(), store.getState().past.length], ['a', 0])
})

test('cancelling a gesture keeps the changes before it', () => {
  const { store, rename, name } = begin()
  rename('b', { key: 'typing' })
  store.getState().cancelGesture('drag')
  assert.equal(name(), 'b')
})
