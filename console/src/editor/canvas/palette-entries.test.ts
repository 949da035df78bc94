import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowItem } from '../../api/types.ts'
import { testCatalogue } from '../document/test-catalogue.ts'
import { entriesFor, resultsOf, sectionsOf, workflowEntries } from './palette-entries.ts'

const workflows = [
  { id: 'wf_06h24dettr000bw48zq', name: 'Blur poster', version: 1 },
  { id: 'wf_06h24df42r00gp68e17', name: 'Grid card', slug: 'grid-card', version: 7 },
] as WorkflowItem[]
const document = { name: 'Card', nodes: {}, parameters: [{ name: 'photo', type: 'string' as const }] }
const entries = [...workflowEntries(workflows, new Set()), ...entriesFor(testCatalogue, document)]
const found = (query: string) =>
  resultsOf(entries, query, []).map(({ title, entries }) => [title, entries.map((entry) => entry.title)])

test('every operation is in the palette, with and without inputs', () => {
  for (const id of testCatalogue.keys())
    assert.ok(
      entries.some((entry) => entry.id === id),
      id,
    )
})

test('workflows come after operations, and their ids are neither shown nor searched', () => {
  assert.deepEqual(found('blur'), [
    ['', ['blur']],
    ['Workflows', ['Blur poster']],
  ])
  assert.equal(sectionsOf(entries, []).at(-1)?.title, 'Workflows')
  for (const query of ['06h', 'zq', 'bw48', 'wf']) assert.deepEqual(found(query), [], query)
  assert.deepEqual(found('grid-card'), [['Workflows', ['Grid card']]])
  for (const { title, summary } of entries) assert.doesNotMatch(`${title} ${summary}`, /wf_/)
})
