import { type RefObject, useEffect } from 'react'
import { useCanvas } from './canvas-model.ts'

/** What is in the middle of the view stays there when a panel beside it opens, closes or is dragged. */
export function useSteadyCentre(root: RefObject<HTMLElement | null>): void {
  const canvas = useCanvas()
  useEffect(() => {
    const element = root.current
    if (element === null) return
    let before: { width: number; height: number } | undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const { width, height } = entry.contentRect
      const { flow } = canvas
      if (before !== undefined && flow !== undefined && width > 0 && height > 0) {
        const { x, y, zoom } = flow.getViewport()
        void flow.setViewport({ x: x + (width - before.width) / 2, y: y + (height - before.height) / 2, zoom })
      }
      if (width > 0 && height > 0) before = { width, height }
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [canvas, root])
}
