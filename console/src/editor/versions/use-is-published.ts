import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { documentQuery } from '../../api/workflows.ts'
import { notesOf } from '../document/notes.ts'
import { useDocument, useEditor, usePublishedWorkflow } from '../state/editor-context.ts'

/** Whether the document equals the newest version. Notes count, but places do not. */
export function useIsPublished(): boolean {
  const { workflowId } = useEditor()
  const workflow = usePublishedWorkflow()
  const document = useDocument((state) => state.document)
  const newest = useQuery({ ...documentQuery(workflowId), enabled: workflow !== null })
  const published = useMemo(() => (newest.data === undefined ? undefined : meaning(newest.data)), [newest.data])
  const now = useMemo(() => meaning(document), [document])
  return published !== undefined && published === now
}

function meaning(document: WorkflowDocument): string {
  const notes = [...notesOf(document).values()].map(({ text, color }) => ({ text, color }))
  return JSON.stringify(sorted({ ...document, layout: notes }))
}

/** Sorts the names of all objects, because their order has no meaning. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sorted(each)]),
  )
}
