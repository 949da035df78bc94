import { type EdgeProps, getBezierPath } from '@xyflow/react'
import { memo } from 'react'
import { useEditor } from '../state/editor-context.ts'
import type { WireEdge } from './flow.ts'
import classes from './wires.module.css'

/** A wire, with a button in the middle that inserts a node. */
export const WireLine = memo(function WireLine(edge: EdgeProps<WireEdge>) {
  const { sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition, data, selected } = edge
  const editor = useEditor()
  const [path, middleX, middleY] = getBezierPath({
    sourceX,
    sourceY,
    sourcePosition,
    targetX,
    targetY,
    targetPosition,
  })
  const kind = data?.kind ?? 'image'
  if (kind === 'reference')
    return (
      <g className={classes.reference}>
        <path className={classes.path} d={path} />
      </g>
    )
  const insert = (event: React.MouseEvent) => {
    event.stopPropagation()
    if (data === undefined) return
    editor.canvas.setState({ palette: { wire: data.wire, screen: { x: event.clientX, y: event.clientY } } })
  }
  return (
    <g className={`${classes.group} ${classes[kind]}`} {...(selected ? { 'data-selected': true } : {})}>
      <path className={classes.halo} d={path} fill="none" />
      <path className={`react-flow__edge-path ${classes.path}`} d={path} />
      <path className={`react-flow__edge-interaction ${classes.hit}`} d={path} />
      <g className={classes.plus} transform={`translate(${middleX} ${middleY})`} onClick={insert} aria-hidden>
        <circle r={10} />
        <path d="M-4.5 0H4.5M0-4.5V4.5" />
      </g>
    </g>
  )
})
