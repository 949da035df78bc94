import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { arrangeOnOpen } from '../../editor/canvas/actions/arrange-on-open.ts'
import { WorkflowCanvas } from '../../editor/canvas/canvas.tsx'
import { EditorLayout } from '../../editor/editor-layout.tsx'
import { useEditor, useRun } from '../../editor/state/editor-context.ts'

const route = getRouteApi('/shell/workflows/$workflowId/')

/** The editor: canvas, inspector and run panel. */
export function EditorPage() {
  const editor = useEditor()
  const { focus, execution } = route.useSearch()
  const navigate = route.useNavigate()
  const shown = useRun((run) => (run.isEarlier ? undefined : run.execution?.executionId))
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
    const { execution: open, isRunning } = editor.run.getState()
    if (execution === undefined ? open === undefined && !isRunning : open?.executionId !== execution)
      editor.run.getState().open(execution)
  }, [editor, execution])
  // A new run replaces the execution of the link.
  useEffect(() => {
    if (execution !== undefined && shown !== undefined)
      void navigate({ search: ({ execution: _, ...rest }) => rest, replace: true })
  }, [execution, shown, navigate])
  return <EditorLayout>{isLaidOut ? <WorkflowCanvas /> : null}</EditorLayout>
}
