import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowDocument } from '../../../api/workflow-document.ts'
import { testCatalogue } from '../../document/test-catalogue.ts'
import { cardPositions } from '../../state/canvas.ts'
import { createDocumentStore } from '../../state/document-store.ts'
import type { Editor } from '../../state/editor.ts'
import { arrangeOnOpen } from './arrange-on-open.ts'

const names = ['a', 'b', 'c', 'd', 'e']
const document: WorkflowDocument = {
  name: 'Fan',
  nodes: {
    photo: { type: 'make' },
    ...Object.fromEntries(names.map((name) => [name, { type: 'blur', inputs: { image: 'photo' } }])),
  },
  output: { node: 'a' },
}

async function opened(layout?: WorkflowDocument['layout']) {
  const store = createDocumentStore(layout === undefined ? document : { ...document, layout })
  const editor = { document: store, catalogue: testCatalogue, view: { autoPositions: new Map() } } as unknown as Editor
  await arrangeOnOpen(editor)
  return { arranged: editor.view.autoPositions.size, positions: cardPositions(editor) }
}

test('a document without positions is arranged, and one with some positions keeps them without overlaps', async () => {
  assert.equal((await opened()).arranged, 6)
  const { positions } = await opened({ photo: [900, 400] })
  const { x, y } = positions.get('photo') ?? assert.fail()
  assert.deepEqual({ x, y }, { x: 900, y: 400 })
  for (const name of names) assert.ok((positions.get(name)?.x ?? 0) > 900, name)
})
