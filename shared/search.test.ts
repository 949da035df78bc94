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
  {
    id: 'resize',
    title: 'Resize',
    summary: 'Larger or smaller.',
    group: 'geometry Size and shape',
    keywords: ['scale', 'aspect ratio'],
  },
  { id: 'grayscale', title: 'Grayscale', summary: 'Removes colours.', group: 'colour Colour' },
]
const found = (query: string, recent?: string[]) => search(entries, query, recent).map(({ id }) => id)

test('entries with every word are found, and without one, entries with some of the words', () => {
  assert.deepEqual(found('filter soft'), ['blur'])
  assert.deepEqual(found('motion blur'), ['blur', 'drop-shadow'])
  assert.deepEqual(found('motion'), [])
  assert.deepEqual(found('back rem'), ['remove-background'])
})

test('a match in the name precedes a match in the description', () =>
  assert.deepEqual(found('blur'), ['blur', 'drop-shadow']))

test('a keyword precedes letters inside a name', () => assert.deepEqual(found('scale'), ['resize', 'grayscale']))

test('a keyword of several words is found while it is typed', () => {
  for (const query of ['aspect', 'aspect r', 'ratio', 'aspect-ratio']) assert.deepEqual(found(query), ['resize'], query)
})

test('other forms and spellings of a word match it', () => {
  for (const query of ['resizing', 'scaled', 'scales', 'ratios']) assert.equal(found(query)[0], 'resize', query)
  for (const query of ['greyscale', 'color', 'colou', 'colour']) assert.deepEqual(found(query), ['grayscale'], query)
})

test('words that describe no operation are ignored next to others', () =>
  assert.deepEqual(found('add a drop shadow to'), ['drop-shadow']))

test('letters that follow each other in a name match it', () => assert.deepEqual(found('rmbg'), ['remove-background']))

test('of equal matches, the last used one comes first', () => {
  assert.deepEqual(found('', ['resize', 'drop-shadow']).slice(0, 2), ['resize', 'drop-shadow'])
  assert.equal(found('filter', ['drop-shadow'])[0], 'drop-shadow')
})
