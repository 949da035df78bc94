import { Outlet } from '@tanstack/react-router'
import { ReactFlowProvider } from '@xyflow/react'
import { useEffect, useMemo } from 'react'
import { toCatalogue } from '../api/operations.ts'
import { ConflictBanner } from './conflict-banner.tsx'
import { RunProvider } from './run/run-provider.tsx'
import { CanvasContext } from './state/canvas-model.ts'
import { EditorProvider } from './state/editor-context.tsx'
import { OpenWorkflowContext } from './state/workflow-context.tsx'
import { useAutosaveGuards, useOpened } from './use-opened.ts'
import { useValidation } from './use-validation.ts'
import type { LoadedWorkflow } from './use-workflow.ts'
import classes from './workflow.module.css'
import { WorkflowHeader } from './workflow-header.tsx'

/** The editor of a workflow, from what was loaded once. What is loaded again later only says how it is published. */
export function OpenWorkflow({ loaded }: { loaded: LoadedWorkflow }) {
  const { workflowId, workflow } = loaded
  const catalogue = useMemo(() => toCatalogue(loaded.operations), [loaded.operations])
  const { editor, canvas, autosave } = useOpened(loaded, catalogue)
  useValidation(editor)
  useAutosaveGuards(autosave, workflowId, editor)
  const open = useMemo(() => ({ workflowId, canvas, autosave, workflow }), [workflowId, canvas, autosave, workflow])
  useEffect(() => autosave.start(), [autosave])
  return (
    <EditorProvider editor={editor}>
      <OpenWorkflowContext value={open}>
        <CanvasContext value={canvas}>
          <RunProvider workflowId={workflowId} saved={autosave.flush}>
            <ReactFlowProvider>
              <div className={classes.page}>
                <WorkflowHeader />
                <ConflictBanner />
                <div className={classes.room}>
                  <Outlet />
                </div>
              </div>
            </ReactFlowProvider>
          </RunProvider>
        </CanvasContext>
      </OpenWorkflowContext>
    </EditorProvider>
  )
}
