import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { layOut } from '../../editor/canvas/actions/lay-out.ts'
import { WorkflowCanvas } from '../../editor/canvas/canvas.tsx'
import { EditorRooms } from '../../editor/editor-rooms.tsx'
import { useEditor } from '../../editor/state/editor-context.ts'

const route = getRouteApi('/shell/workflows/$workflowId/')

/** The canvas with the inspector beside it and the run below. */
export function EditorPage() {
  const editor = useEditor()
  const { focus } = route.useSearch()
  const [isLaidOut, setLaidOut] = useState(false)
  useEffect(() => {
    let isHere = true
    void layOut(editor).then(() => {
      if (isHere) setLaidOut(true)
    })
    return () => {
      isHere = false
    }
  }, [editor])
  useEffect(() => {
    if (isLaidOut && focus !== undefined) editor.document.getState().focusOn(focus)
  }, [editor, isLaidOut, focus])
  return <EditorRooms>{isLaidOut ? <WorkflowCanvas /> : null}</EditorRooms>
}
