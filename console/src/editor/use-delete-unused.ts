import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { deleteDraft, draftQuery, invalidateDraft } from '../api/drafts.ts'
import { emptyDocument } from '../api/read-document.ts'
import type { Editor } from './state/editor.ts'
import type { LoadedWorkflow } from './use-workflow.ts'

/** Deletes a new, unchanged draft when its workflow is left: "New workflow" and back leaves no empty draft. */
export function useDeleteUnused({ workflowId, document: store }: Editor, { draft, workflow }: LoadedWorkflow): void {
  const queryClient = useQueryClient()
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  const revision = workflow === null ? draft?.revision : undefined
  useEffect(() => {
    clearTimeout(leaving.current)
    const deleteIfUnused = async () => {
      const { document, past, future } = store.getState()
      const isEmpty = document.name === emptyDocument.name && Object.keys(document.nodes).length === 0
      if (revision === undefined || !isEmpty || past.length > 0 || future.length > 0) return
      // Another tab may have changed it.
      const stored = await queryClient.fetchQuery(draftQuery(workflowId))
      if (stored?.revision !== revision) return
      await deleteDraft(workflowId)
      await invalidateDraft(queryClient, workflowId)
    }
    return () => {
      // In development React runs each effect twice.
      leaving.current = setTimeout(() => void deleteIfUnused().catch(() => undefined))
    }
  }, [queryClient, revision, store, workflowId])
}
