import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { documentQuery } from '../api/workflows.ts'
import { useEditor } from '../document/editor-context.tsx'
import { useOpenWorkflow } from './workflow-context.tsx'

/** Whether the newest version is what is on the screen, as far as it means anything: positions do not count. */
export function useIsPublished(): boolean {
  const { workflowId, workflow } = useOpenWorkflow()
  const document = useEditor((state) => state.document)
  const newest = useQuery({ ...documentQuery(workflowId), enabled: workflow !== null })
  const published = useMemo(() => (newest.data === undefined ? undefined : meaning(newest.data)), [newest.data])
  const now = useMemo(() => meaning(document), [document])
  return published !== undefined && published === now
}

function meaning(document: object): string {
  return JSON.stringify(sorted({ ...document, layout: undefined }))
}

/** Names in one order: nodes are a map, and what stands first means nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sorted(each)]),
  )
}
