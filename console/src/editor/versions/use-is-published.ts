import { hashKey, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { documentQuery } from '../../api/workflows.ts'
import { notesOf } from '../document/notes.ts'
import { useDocument, useEditor, usePublishedWorkflow } from '../state/editor-context.ts'

/** Whether the document equals the newest version. Notes count, but positions do not. */
export function useIsPublished(): boolean {
  const { workflowId } = useEditor()
  const workflow = usePublishedWorkflow()
  const newest = useQuery({ ...documentQuery(workflowId), enabled: workflow !== null })
  const published = useMemo(() => (newest.data === undefined ? undefined : meaning(newest.data)), [newest.data])
  return useDocument(({ document }) => published !== undefined && published === meaning(document))
}

const meanings = new WeakMap<WorkflowDocument, string>()

/** Keys of queries are equal whatever the order of their names. Computed once per document. */
function meaning(document: WorkflowDocument): string {
  const meaning = meanings.get(document) ?? meaningOf(document)
  meanings.set(document, meaning)
  return meaning
}

function meaningOf(document: WorkflowDocument): string {
  const notes = [...notesOf(document).values()].map(({ text, color }) => ({ text, color }))
  return hashKey([{ ...document, layout: notes }])
}
