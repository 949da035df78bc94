import { MiniMap, useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { isNote } from '../document/notes.ts'
import { useEditor } from '../state/editor-context.ts'
import { createCompositorTransform } from './compositor-transform.ts'
import classes from './graph-map.module.css'

const size = { width: 168, height: 112 }

/** A small map of the graph with the visible area. The area moves without rendering. */
export function GraphMap() {
  const editor = useEditor()
  const store = useStoreApi()
  const frame = useRef<HTMLDivElement>(null)
  const viewport = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const compositorTransform = createCompositorTransform()
    const viewportTransform = (): string | undefined => {
      const map = frame.current?.querySelector<SVGSVGElement>('.react-flow__minimap-svg')?.viewBox.baseVal
      if (!map) return undefined
      const { transform, width, height } = store.getState()
      const [x, y, zoom] = transform
      const scale = Math.min(size.width / map.width, size.height / map.height)
      const left = (-x / zoom - map.x - map.width / 2) * scale + size.width / 2
      const top = (-y / zoom - map.y - map.height / 2) * scale + size.height / 2
      const across = ((width / zoom) * scale) / size.width
      const down = ((height / zoom) * scale) / size.height
      return `translate(${left}px, ${top}px) scale(${across}, ${down})`
    }
    const update = () => {
      const transform = viewportTransform()
      if (transform !== undefined && viewport.current) viewport.current.style.transform = transform
      compositorTransform.reset()
    }
    let frameRequest = 0
    // Waits until React Flow has rendered the map, which has its origin and size.
    const scheduleUpdate = () => {
      cancelAnimationFrame(frameRequest)
      frameRequest = requestAnimationFrame(update)
    }
    scheduleUpdate()
    editor.view.onMove = () => {
      const transform = viewportTransform()
      if (transform !== undefined && viewport.current) compositorTransform.carry(viewport.current, transform)
    }
    const stop = store.subscribe(scheduleUpdate)
    return () => {
      cancelAnimationFrame(frameRequest)
      editor.view.onMove = undefined
      stop()
    }
  }, [editor, store])
  return (
    <div ref={frame} className={`react-flow__panel bottom right ${classes.frame}`}>
      <MiniMap
        pannable
        zoomable
        style={size}
        nodeBorderRadius={24}
        nodeClassName={({ id }) => (isNote(id) ? (classes.note ?? '') : '')}
        ariaLabel="Map of the canvas"
      />
      <div ref={viewport} className={classes.seen} style={size} />
    </div>
  )
}
