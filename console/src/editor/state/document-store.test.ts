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
