import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { arrangeOnOpen } from '../../editor/canvas/actions/arrange-on-open.ts'
import { focusCard } from '../../editor/canvas/actions/focus.ts'
import { WorkflowCanvas } from '../../editor/canvas/canvas.tsx'
import { EditorLayout } from '../../editor/editor-layout.tsx'
import { useCanvas, useEditor } from '../../editor/state/editor-context.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import classes from './editor-page.module.css'

const Stage = lazyPart(() => import('../../editor/stage/stage.tsx'), 'Stage')

const route = getRouteApi('/shell/workflows/$workflowId/')

const ExecutionView = lazyPart(() => import('../../editor/execution-view.tsx'), 'ExecutionView')

/** The editor of the draft, or an execution of the workflow. */
export function EditorPage() {
  const { execution } = route.useSearch()
  if (execution === undefined) return <DraftEditor />
  return (
    <Suspense>
      <ExecutionView executionId={execution} />
    </Suspense>
  )
}

/** Canvas, inspector and run panel. It opens with the last run. */
function DraftEditor() {
  const editor = useEditor()
  const { focus } = route.useSearch()
  const [isLaidOut, setLaidOut] = useState(false)
  useEffect(() => {
    let isHere = true
    void arrangeOnOpen(editor).then(() => {
      if (isHere) setLaidOut(true)
    })
    return () => {
      isHere = false
    }
  }, [editor])
  useEffect(() => {
    if (isLaidOut && focus !== undefined) editor.document.getState().focusOn(focus)
  }, [editor, isLaidOut, focus])
  useEffect(() => {
    const { execution, isRunning, open } = editor.run.getState()
    if (execution === undefined && !isRunning) void open()
  }, [editor])
  return <EditorLayout>{isLaidOut ? <GraphOrStage /> : null}</EditorLayout>
}

/** The graph stays where it is behind the stage, and gets the focus back. */
function GraphOrStage(): ReactNode {
  const editor = useEditor()
  const isStageOpen = useCanvas((ui) => ui.isStageOpen)
  useEffect(() => {
    if (!isStageOpen) return undefined
    return () => {
      const [id] = editor.document.getState().selection
      // In the next frame, in which the graph can get the focus again.
      requestAnimationFrame(() => {
        if (id === undefined) editor.view.element?.focus({ preventScroll: true })
        else focusCard(editor, id)
      })
    }
  }, [editor, isStageOpen])
  return (
    <div className={classes.work} data-work>
      <div className={classes.graph} inert={isStageOpen}>
        <WorkflowCanvas />
      </div>
      {isStageOpen && (
        <Suspense>
          <Stage />
        </Suspense>
      )}
    </div>
  )
}
