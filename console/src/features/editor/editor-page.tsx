import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { arrangeOnOpen } from '../../editor/canvas/actions/arrange-on-open.ts'
import { WorkflowCanvas } from '../../editor/canvas/canvas.tsx'
import { EditorLayout } from '../../editor/editor-layout.tsx'
import { useEditor } from '../../editor/state/editor-context.ts'

const route = getRouteApi('/shell/workflows/$workflowId/')

const ExecutionView = lazy(async () => ({ default: (await import('../../editor/execution-view.tsx')).ExecutionView }))

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
  return <EditorLayout>{isLaidOut ? <WorkflowCanvas /> : null}</EditorLayout>
}
