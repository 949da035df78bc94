import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DraftItem } from '../../api/drafts.ts'
import { entriesOf } from './entries.ts'

function workflow(id: string, day: number) {
  const at = `2026-11-0${day}T00:00:00.000Z`
  return { id, name: id, projectId: 'prj', createdAt: at, updatedAt: at }
}

function draft(workflowId: string, day: number, baseVersion = 0): DraftItem {
  const at = `2026-11-0${day}T00:00:00.000Z`
  return { workflowId, name: workflowId, projectId: 'prj', baseVersion, revision: 1, createdAt: at, updatedAt: at }
}

const ids = (entries: { workflowId: string }[]) => entries.map(({ workflowId }) => workflowId)

test('the draft of a published workflow marks the workflow, and has no separate entry', () => {
  const entries = entriesOf({
    workflows: [workflow('a', 1)],
    drafts: [draft('a', 5, 1)],
    isComplete: true,
    sort: 'newest',
  })
  assert.deepEqual(ids(entries), ['a'])
  assert.equal(entries[0]?.draft, 'changed')
  assert.equal(entries[0]?.updatedAt, '2026-11-05T00:00:00.000Z')
})

test('drafts are sorted among the workflows by date, and older drafts appear with the next page', () => {
  const listed = {
    workflows: [workflow('a', 8), workflow('b', 5)],
    drafts: [draft('new', 6), draft('old', 2)],
    sort: 'newest',
  } as const
  assert.deepEqual(ids(entriesOf({ ...listed, isComplete: false })), ['a', 'new', 'b'])
  assert.deepEqual(ids(entriesOf({ ...listed, isComplete: true })), ['a', 'new', 'b', 'old'])
})

test('Names are sorted as people read them', () => {
  const workflows = ['Card 10', 'card 9', 'Avatar'].map((name) => workflow(name, 1))
  assert.deepEqual(ids(entriesOf({ workflows, drafts: [], isComplete: true, sort: 'name' })), [
    'Avatar',
    'card 9',
    'Card 10',
  ])
})
