import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { arrangeOnOpen } from '../../editor/canvas/actions/arrange-on-open.ts'
import { WorkflowCanvas } from '../../editor/canvas/canvas.tsx'
import { EditorLayout } from '../../editor/editor-layout.tsx'
import { ExecutionView } from '../../editor/execution-view.tsx'
import { useEditor } from '../../editor/state/editor-context.ts'

const route = getRouteApi('/shell/workflows/$workflowId/')

/** The editor of the draft, or an execution of the workflow. */
export function EditorPage() {
  const { execution } = route.useSearch()
  return execution === undefined ? <DraftEditor /> : <ExecutionView executionId={execution} />
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
