import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { layOut } from '../../editor/canvas/actions/lay-out.ts'
import { WorkflowCanvas } from '../../editor/canvas/canvas.tsx'
import { EditorRooms } from '../../editor/editor-rooms.tsx'
import { useCanvas } from '../../editor/state/canvas-model.ts'

const route = getRouteApi('/shell/workflows/$workflowId/')

/** The canvas with the inspector beside it and the run below. */
export function EditorPage() {
  const canvas = useCanvas()
  const { focus } = route.useSearch()
  const [isLaidOut, setLaidOut] = useState(false)
  useEffect(() => {
    let isHere = true
    void layOut(canvas).then(() => {
      if (isHere) setLaidOut(true)
    })
    return () => {
      isHere = false
    }
  }, [canvas])
  useEffect(() => {
    if (isLaidOut && focus !== undefined) canvas.editor.getState().focusOn(focus)
  }, [canvas, isLaidOut, focus])
  return <EditorRooms>{isLaidOut ? <WorkflowCanvas /> : null}</EditorRooms>
}
