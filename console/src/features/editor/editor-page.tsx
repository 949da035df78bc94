import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { arrangeOnOpen } from '../../editor/canvas/actions/arrange-on-open.ts'
import { WorkflowCanvas } from '../../editor/canvas/canvas.tsx'
import { EditorLayout } from '../../editor/editor-layout.tsx'
import { useEditor } from '../../editor/state/editor-context.ts'

const route = getRouteApi('/shell/workflows/$workflowId/')

/** The editor: canvas, inspector and run panel. */
export function EditorPage() {
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
  return <EditorLayout>{isLaidOut ? <WorkflowCanvas /> : null}</EditorLayout>
}
