import type { Edge, Node, NodeProps } from '@xyflow/react'
import { MoveRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Catalogue } from '../../api/operations.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { CardEnds, GraphView } from '../../ui/graph-view.tsx'
import { prefersReducedMotion } from '../../ui/motion.ts'
import type { ChangeKind, DocumentDiff } from '../document/diff.ts'
import type { Point } from '../document/geometry.ts'
import { arrange, freePosition, positionsOf } from '../document/layout.ts'
import { outputId } from '../document/wires.ts'
import classes from './diff-graph.module.css'

interface CardData extends Record<string, unknown> {
  type: string
  kind: ChangeKind
  renamedFrom?: string | undefined
  isMoved: boolean
}

type CardNode = Node<CardData, 'card'>

const size = { width: 176, height: 56 }
/** Smaller distances than in the editor, because the cards are smaller. */
const closer = { x: 0.8, y: 0.55 }

/** Both graphs in one: added, removed, changed and moved nodes. */
export function DiffGraph({
  diff,
  after,
  catalogue,
}: {
  diff: DocumentDiff
  after: WorkflowDocument
  catalogue: Catalogue
}) {
  const positions = usePositions(diff, after, catalogue)
  if (positions === undefined) return <div className={classes.graph} />
  const nodes = diff.nodes.map(({ id, type, kind, renamedFrom, isMoved }): CardNode => {
    const { x, y } = positions.get(id) ?? { x: 0, y: 0 }
    return { id, type: 'card', position: closed({ x, y }), data: { type, kind, renamedFrom, isMoved }, ...size }
  })
  const output = positions.get(outputId) ?? { x: 0, y: 0 }
  const isOutputChanged = diff.output.length + diff.outputs.length > 0
  nodes.push({
    id: outputId,
    type: 'card',
    position: closed(output),
    data: { type: '', kind: isOutputChanged ? 'changed' : 'same', isMoved: false },
    ...size,
  })
  const edges = diff.wires.map(
    ({ source, target, socket, index, kind }): Edge => ({
      id: `${kind} ${source} ${target} ${socket} ${index}`,
      source,
      target,
      className: classes[kind] ?? '',
    }),
  )
  return (
    <section className={classes.graph} aria-label="Both graphs, overlaid">
      <GraphView
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        fitView
        onNodeClick={(_, { id }) =>
          document
            .getElementById(`change-${id}`)
            ?.scrollIntoView({ behavior: prefersReducedMotion() ? 'auto' : 'smooth' })
        }
      />
    </section>
  )
}

function Card({ id, data: { type, kind, renamedFrom, isMoved } }: NodeProps<CardNode>) {
  return (
    <div className={classes.card} data-kind={kind === 'same' && renamedFrom !== undefined ? 'renamed' : kind}>
      <CardEnds />
      <span className={classes.name}>
        {renamedFrom !== undefined && <del>{renamedFrom}</del>} {id === outputId ? 'Output' : id}
        {isMoved && <MoveRight size={12} aria-label="moved" className={classes.moved} />}
      </span>
      <span className={classes.type}>{kind === 'same' ? type : `${type} ${kind}`}</span>
    </div>
  )
}

const nodeTypes = { card: Card }

/** Places from the later document. Removed nodes keep their earlier place, without overlaps. */
function usePositions({ before, nodes }: DocumentDiff, after: WorkflowDocument, catalogue: Catalogue) {
  const [positions, setPositions] = useState<Map<string, Point>>()
  useEffect(() => {
    let isMounted = true
    const removed = nodes.flatMap(({ id, kind }) => (kind === 'removed' ? [[id, before.nodes[id]] as const] : []))
    const combined = { ...after, nodes: { ...after.nodes } }
    for (const [id, node] of removed) if (node !== undefined) combined.nodes[id] = node
    const positionsAfter = positionsOf(after)
    const positionsBefore = positionsOf(before)
    const isDrawn = Object.keys(after.nodes).every((id) => positionsAfter.has(id))
    const show = (all: Map<string, Point>) => {
      if (isMounted) setPositions(all)
    }
    if (!isDrawn || removed.some(([id]) => !positionsBefore.has(id))) void arrange(combined, catalogue).then(show)
    else {
      for (const [id] of removed)
        positionsAfter.set(id, freePosition(positionsBefore.get(id) ?? { x: 0, y: 0 }, positionsAfter, 120))
      if (!positionsAfter.has(outputId)) positionsAfter.set(outputId, afterAll(positionsAfter))
      show(positionsAfter)
    }
    return () => {
      isMounted = false
    }
  }, [before, nodes, after, catalogue])
  return positions
}

function closed({ x, y }: Point): Point {
  return { x: x * closer.x, y: y * closer.y }
}

function afterAll(positions: ReadonlyMap<string, Point>): Point {
  const all = [...positions.values()]
  const right = Math.max(0, ...all.map(({ x }) => x))
  return { x: right + 288, y: all.find(({ x }) => x === right)?.y ?? 0 }
}
