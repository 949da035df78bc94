import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { outlineBox, outlineOf } from '../../editor/document/outline.ts'
import classes from './outline.module.css'

const margin = 16
/** Small graphs are not drawn larger than this. */
const widthMin = 320
const heightMin = 200

/** A small drawing of a workflow's graph. It is hidden from screen readers. */
export function OutlineDrawing({ document }: { document: WorkflowDocument }) {
  const { width, height, nodes, lines } = outlineOf(document)
  if (nodes.length === 0) return null
  const [w, h] = [Math.max(width + margin * 2, widthMin), Math.max(height + margin * 2, heightMin)]
  return (
    <svg className={classes.outline} viewBox={`${(width - w) / 2} ${(height - h) / 2} ${w} ${h}`} aria-hidden="true">
      {lines.map(({ x1, y1, x2, y2 }) => {
        const bend = Math.max(12, (x2 - x1) / 2)
        const path = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
        return <path key={path} className={classes.line} d={path} />
      })}
      {nodes.map(({ id, type, x, y }) => (
        <g key={id}>
          <rect className={classes.box} x={x} y={y} width={outlineBox.width} height={outlineBox.height} rx={6} />
          <text className={classes.name} x={x + outlineBox.width / 2} y={y + outlineBox.height / 2}>
            {type.length > 11 ? `${type.slice(0, 10)}…` : type}
          </text>
        </g>
      ))}
    </svg>
  )
}
