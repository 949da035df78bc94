import { useEffect, useState } from 'react'
import { layOut } from '../canvas/actions/lay-out.ts'
import { WorkflowCanvas } from '../canvas/canvas.tsx'
import { useCanvas } from '../canvas/canvas-model.ts'
import { EditorRooms } from '../workflow/editor-rooms.tsx'

/** The canvas with the inspector beside it and the run below. */
export function EditorPage() {
  const canvas = useCanvas()
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
  return <EditorRooms>{isLaidOut ? <WorkflowCanvas /> : null}</EditorRooms>
}
