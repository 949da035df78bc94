import { Skeleton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { ReactFlowProvider } from '@xyflow/react'
import { useEffect, useState } from 'react'
import { toCatalogue } from '../api/operations.ts'
import { ConflictBanner } from './conflict-banner.tsx'
import { createEditor } from './state/editor.ts'
import { EditorContext } from './state/editor-context.ts'
import { useDeleteUnused } from './use-delete-unused.ts'
import { useSaveOnLeave } from './use-save-on-leave.ts'
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
