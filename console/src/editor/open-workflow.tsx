import { Skeleton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { ReactFlowProvider } from '@xyflow/react'
import { useEffect, useRef, useState } from 'react'
import { deleteDraft, draftQuery, invalidateDraft, saveDraft } from '../api/drafts.ts'
import { toCatalogue } from '../api/operations.ts'
import { emptyDocument } from '../api/read-document.ts'
import { ConflictBanner } from './conflict-banner.tsx'
import { createEditor, type Editor } from './state/editor.ts'
import { EditorContext } from './state/editor-context.ts'
import { useValidation } from './use-validation.ts'
import type { LoadedWorkflow } from './use-workflow.ts'
import classes from './workflow.module.css'
import { WorkflowHeader } from './workflow-header.tsx'

/** The header and the pages of a workflow. The editor is created once, from the data that was loaded first. */
export function OpenWorkflow({ loaded }: { loaded: LoadedWorkflow }) {
  const queryClient = useQueryClient()
  const [editor] = useState(() => {
    const { workflowId, document, draft, workflow, operations } = loaded
    const projectId = draft?.projectId ?? workflow?.projectId
    const catalogue = toCatalogue(operations)
    return createEditor({ workflowId, projectId, document, revision: draft?.revision, catalogue, queryClient })
  })
  useValidation(editor)
  useSaveOnLeave(editor)
  useDeleteUnused(editor, loaded)
  useEffect(() => editor.open(), [editor])
  return (
    <EditorContext value={editor}>
      <ReactFlowProvider>
        <div className={classes.page}>
          <WorkflowHeader />
          <ConflictBanner />
          <div className={classes.content}>
            <Outlet />
          </div>
        </div>
      </ReactFlowProvider>
    </EditorContext>
  )
}

/** Shown while the workflow loads. */
export function WorkflowSkeleton() {
  return (
    <div className={classes.page} aria-busy>
      <div className={classes.header}>
        <Skeleton height={24} width={220} />
      </div>
      <Skeleton flex={1} radius={0} />
    </div>
  )
}

/** Deletes a new, unchanged draft when its workflow is left: "New workflow" and back leaves no empty draft. */
function useDeleteUnused({ workflowId, document: store }: Editor, { draft, workflow }: LoadedWorkflow): void {
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

/** Saves unsaved changes when the page is left, hidden or closed. */
function useSaveOnLeave({ workflowId, document: store, autosave }: Editor): void {
  useEffect(() => {
    const saveBeforeUnload = () => {
      if (!['waiting', 'failed', 'saving'].includes(autosave.state.getState().kind)) return
      const ifRevision = autosave.revision()
      const options = ifRevision === undefined ? {} : { ifRevision }
      void saveDraft(workflowId, store.getState().document, { ...options, keepalive: true }).catch(() => undefined)
    }
    const saveIfHidden = () => {
      if (document.visibilityState === 'hidden') void autosave.flush().catch(() => undefined)
    }
    window.addEventListener('pagehide', saveBeforeUnload)
    document.addEventListener('visibilitychange', saveIfHidden)
    return () => {
      window.removeEventListener('pagehide', saveBeforeUnload)
      document.removeEventListener('visibilitychange', saveIfHidden)
      void autosave.flush().catch(() => undefined)
    }
  }, [autosave, workflowId, store])
}
