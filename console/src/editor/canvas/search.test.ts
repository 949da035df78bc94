import assert from 'node:assert/strict'
import { test } from 'node:test'
import { search } from './search.ts'

const entries = [
  { id: 'blur', title: 'Blur', summary: 'Makes the image soft.', group: 'filter Filters' },
  {
    id: 'remove-background',
    title: 'Remove background',
    summary: 'Cuts out what is in front.',
    group: 'filter Filters',
  },
  { id: 'drop-shadow', title: 'Drop shadow', summary: 'A shadow below, blurred.', group: 'filter Filters' },
  { id: 'resize', title: 'Resize', summary: 'Larger or smaller.', group: 'geometry Size and shape' },
]
const found = (query: string, recent?: string[]) => search(entries, query, recent).map(({ id }) => id)

test('every word must be somewhere in an entry', () => {
  assert.deepEqual(found('filter soft'), ['blur'])
  assert.deepEqual(found('geometry blur'), [])
  assert.deepEqual(found('back rem'), ['remove-background'])
})

test('a match in the name precedes a match in the description', () =>
  assert.deepEqual(found('blur'), ['blur', 'drop-shadow']))

test('letters that follow each other in a name match it', () => assert.deepEqual(found('rmbg'), ['remove-background']))

test('of equal matches, the last used one comes first', () => {
  assert.deepEqual(found('', ['resize', 'drop-shadow']).slice(0, 2), ['resize', 'drop-shadow'])
  assert.equal(found('filter', ['drop-shadow'])[0], 'drop-shadow')
})
