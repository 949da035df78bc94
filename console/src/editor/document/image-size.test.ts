import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalogue } from '../../api/operations.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { declaredSize, sizeSources } from './image-size.ts'

const groups = { image: 'source', gradient: 'source', resize: 'geometry', blur: 'filter', text: 'text', edit: 'ai' }
const catalogue = new Map(Object.entries(groups).map(([id, group]) => [id, { id, group }])) as unknown as Catalogue
const document: WorkflowDocument = {
  name: 'Card',
  nodes: {
    sky: { type: 'gradient', params: { width: 1200, height: 630 } },
    soft: { type: 'blur', inputs: { image: 'sky' } },
    title: { type: 'text', inputs: { image: 'soft' } },
    wide: { type: 'resize', inputs: { image: 'title' }, params: { width: 600 } },
    inside: { type: 'resize', inputs: { image: 'title' }, params: { width: 600, height: 600, fit: 'inside' } },
    other: { type: 'edit', inputs: { image: 'sky' }, params: { width: 600, height: 600 } },
    loop: { type: 'blur', inputs: { image: 'loop' } },
  },
}

test('the size of an image comes from the node that sets it', () => {
  assert.deepEqual(sizeSources(document, catalogue, 'title'), ['title', 'soft', 'sky'])
  assert.deepEqual(sizeSources(document, catalogue, 'wide'), ['wide'])
  assert.deepEqual(sizeSources(document, catalogue, 'other'), ['other'])
  assert.deepEqual(sizeSources(document, catalogue, 'loop'), ['loop'])
})

test('a size is declared by two numbers, if they are the size of the result', () => {
  assert.deepEqual(declaredSize(document, catalogue, 'sky'), { width: 1200, height: 630 })
  for (const id of ['wide', 'inside', 'other', 'missing'])
    assert.equal(declaredSize(document, catalogue, id), undefined)
})
