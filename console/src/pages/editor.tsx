import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { layOut } from '../canvas/actions/lay-out.ts'
import { WorkflowCanvas } from '../canvas/canvas.tsx'
import { useCanvas } from '../canvas/canvas-model.ts'
import { EditorRooms } from '../workflow/editor-rooms.tsx'

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
