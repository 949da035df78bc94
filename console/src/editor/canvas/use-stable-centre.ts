import { getNodesBounds, type ReactFlowInstance } from '@xyflow/react'
import { type RefObject, useEffect } from 'react'
import type { Size } from '../document/geometry.ts'
import { useEditor } from '../state/editor-context.ts'
import { fit } from './actions/move.ts'

/**
 * Keeps the centre of the view when a panel next to the canvas opens, closes or is resized. If all cards were visible
 * and would not be any more, fits them into the view again.
 */
export function useStableCentre(root: RefObject<HTMLElement | null>): void {
  const editor = useEditor()
  useEffect(() => {
    const element = root.current
    if (element === null) return
    let before: Size | undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const { width, height } = entry.contentRect
      const { flow } = editor.view
      if (before !== undefined && flow !== undefined && width > 0 && height > 0) {
        const { x, y, zoom } = flow.getViewport()
        const moved = { x: x + (width - before.width) / 2, y: y + (height - before.height) / 2, zoom }
        void flow.setViewport(moved)
        if (isAllSeen(flow, { x, y, zoom }, before) && !isAllSeen(flow, moved, { width, height })) fit(editor)
      }
      if (width > 0 && height > 0) before = { width, height }
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [editor, root])
}

function isAllSeen(
  flow: ReactFlowInstance,
  { x, y, zoom }: { x: number; y: number; zoom: number },
  { width, height }: Size,
): boolean {
  const bounds = getNodesBounds(flow.getNodes())
  return (
    bounds.x * zoom + x >= 0 &&
    bounds.y * zoom + y >= 0 &&
    (bounds.x + bounds.width) * zoom + x <= width &&
    (bounds.y + bounds.height) * zoom + y <= height
  )
}
