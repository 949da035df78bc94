import assert from 'node:assert/strict'
import { test } from 'node:test'
import { produce } from 'immer'
import { emptyDocument } from '../../api/read-document.ts'
import { createDocumentStore } from '../state/document-store.ts'
import { copyText, pasteNodes, readText } from './clipboard.ts'
import { removeNodes } from './edits.ts'
import { positionsOf, setPositions } from './layout.ts'
import { addNote, changeNote, type Note, noteOf, notesOf } from './notes.ts'

const note: Note = { at: { x: 10, y: 20 }, size: { width: 300, height: 200 }, text: 'Ask Ada', color: 'blue' }

test('notes are added, changed and removed without changing the positions of cards', () => {
  const two = produce(emptyDocument, (document) => {
    document.nodes.a = { type: 'canvas' }
    setPositions(document, [['a', { x: 1, y: 2 }]])
    assert.deepEqual([addNote(document, note), addNote(document, note)], ['$note-1', '$note-2'])
    changeNote(document, '$note-2', { text: 'Done', at: { x: 30.4, y: 40 } })
  })
  assert.deepEqual(noteOf(two, '$note-1'), note)
  assert.deepEqual(noteOf(two, '$note-2'), { ...note, text: 'Done', at: { x: 30, y: 40 } })
  assert.deepEqual([...positionsOf(two).keys()], ['a'])
  const one = produce(two, (document) => removeNodes(document, ['$note-1']))
  assert.deepEqual([...notesOf(one).keys()], ['$note-2'])
  assert.deepEqual(Object.keys(one.nodes), ['a'])
})

test('other values in a layout are ignored, and a note without size or colour gets defaults', () => {
  const layout = {
    '$note-1': null,
    '$note-2': { at: ['a', 1] },
    '$note-x': note,
    '$note-3': { at: [1, 2], color: 'red' },
  }
  const notes = notesOf({ ...emptyDocument, layout })
  assert.deepEqual([...notes.keys()], ['$note-3'])
  assert.deepEqual(notes.get('$note-3'), {
    at: { x: 1, y: 2 },
    size: { width: 240, height: 160 },
    text: '',
    color: 'yellow',
  })
  assert.equal(notesOf({ ...emptyDocument, layout: 'none' }).size, 0)
})

test('notes are copied with the nodes on them, and by themselves', async () => {
  const from = produce(emptyDocument, (document) => {
    document.nodes.a = { type: 'canvas' }
    addNote(document, note)
  })
  const positions = new Map([['a', { x: 30, y: 60 }]])
  const both = await readText(copyText(from, ['a', '$note-1'], positions) ?? '')
  assert.ok(both)
  const pasted = produce(from, (document) => {
    assert.deepEqual(pasteNodes(document, both.document, { x: 100, y: 100 }), ['a-2', '$note-2'])
  })
  assert.deepEqual(noteOf(pasted, '$note-2')?.at, { x: 100, y: 100 })
  assert.deepEqual(positionsOf(pasted).get('a-2'), { x: 120, y: 140 })
  const alone = await readText(copyText(from, ['$note-1'], positions) ?? '')
  assert.ok(alone)
  const only = produce(emptyDocument, (document) => void pasteNodes(document, alone.document, undefined))
  assert.deepEqual(noteOf(only, '$note-1'), note)
})

test('a note stays selected as long as it exists', () => {
  const editor = createDocumentStore(emptyDocument)
  editor.getState().change('Add a note', (document) => void addNote(document, note))
  editor.getState().select(['$note-1'])
  editor.getState().change('Write', (document) => changeNote(document, '$note-1', { text: 'x' }))
  assert.deepEqual(editor.getState().selection, ['$note-1'])
  editor.getState().undo()
  editor.getState().undo()
  assert.deepEqual(editor.getState().selection, [])
})
