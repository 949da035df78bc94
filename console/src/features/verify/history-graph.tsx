import type { Edge, Node, NodeProps, ReactFlowInstance, Viewport } from '@xyflow/react'
import { type CSSProperties, type KeyboardEvent, useCallback, useEffect, useMemo, useRef } from 'react'
import { CardEnds, GraphView } from '../../ui/graph-view.tsx'
import { motionMs } from '../../ui/motion.ts'
import { boundsOf, type GraphNode, isDirection, neighbour } from './graph.ts'
import classes from './history-graph.module.css'
import { NodeCard } from './node-card.tsx'

interface CardData extends Record<string, unknown> {
  node: GraphNode
  isSelected: boolean
  onOpen(): void
}

type CardNode = Node<CardData, 'card'>
type Flow = ReactFlowInstance<CardNode>

interface HistoryGraphProps {
  nodes: readonly GraphNode[]
  selected: string
  /** Arrow keys select. Only one card is a tab stop. */
  onSelect(id: string): void
  /** Clicks and Enter open. */
  onOpen(id: string): void
}

const cardAttribute = 'data-history-node'

/** Cards and wires that can be moved and zoomed, but not changed. */
export function HistoryGraph({ nodes, selected, onSelect, onOpen }: HistoryGraphProps) {
  const frame = useRef<HTMLElement>(null)
  const flow = useRef<Flow>(null)
  const isFollowed = useRef(false)
  const open = useCallback(
    (id: string) => {
      isFollowed.current = true
      onOpen(id)
    },
    [onOpen],
  )
  const cards = useMemo(
    () =>
      nodes.map((node): CardNode => {
        const { id, x, y, width, height } = node
        const data = { node, isSelected: id === selected, onOpen: () => open(id) }
        return { id, type: 'card', position: { x, y }, width, height, data }
      }),
    [nodes, selected, open],
  )
  const wires = useMemo(
    () => nodes.flatMap(({ id, next }): Edge[] => (next === undefined ? [] : [{ id, source: id, target: next }])),
    [nodes],
  )
  // The focus follows the selection, also to a card that is rendered for the first time.
  useEffect(() => {
    const node = nodes.find(({ id }) => id === selected)
    if (!isFollowed.current || node === undefined) return
    isFollowed.current = false
    const request = requestAnimationFrame(() => {
      const card = frame.current?.querySelector<HTMLElement>(`[${cardAttribute}="${selected}"]`)
      card?.focus({ preventScroll: true })
      show(node, flow.current, frame.current)
    })
    return () => cancelAnimationFrame(request)
  }, [nodes, selected])
  const { height } = boundsOf(nodes)
  const move = (event: KeyboardEvent) => {
    if (!isDirection(event.key)) return
    event.preventDefault()
    const next = neighbour(nodes, selected, event.key)
    if (next === undefined) return
    isFollowed.current = true
    onSelect(next.id)
  }
  return (
    <section
      ref={frame}
      className={classes.graph}
      style={{ '--content-height': `${height}px` } as CSSProperties}
      aria-label="History as a graph. Arrow keys move between the cards."
      onKeyDown={move}
    >
      <GraphView
        nodes={cards}
        edges={wires}
        nodeTypes={nodeTypes}
        elementsSelectable={false}
        disableKeyboardA11y
        onInit={(instance) => {
          flow.current = instance
          if (frame.current !== null) void instance.setViewport(startOf(nodes, frame.current))
        }}
      />
    </section>
  )
}

/** Smaller text is hard to read. */
const readableZoom = 0.85
const margin = 24

/** Everything, or if that is too small to read, the verified file and its neighbours. */
function startOf(nodes: readonly GraphNode[], { clientWidth, clientHeight }: HTMLElement): Viewport {
  const { x, y, width, height } = boundsOf(nodes)
  const zoom = Math.min(1, (clientWidth - 2 * margin) / width, (clientHeight - 2 * margin) / height)
  if (zoom >= readableZoom)
    return { x: clientWidth / 2 - (x + width / 2) * zoom, y: clientHeight / 2 - (y + height / 2) * zoom, zoom }
  const root = nodes.find(({ next }) => next === undefined)
  const [right, middle] = root ? [root.x + root.width, root.y + root.height / 2] : [0, 0]
  return {
    x: clientWidth - margin - right * readableZoom,
    y: clientHeight / 2 - middle * readableZoom,
    zoom: readableZoom,
  }
}

/** Moves a card into view. */
function show({ x, y, width, height }: GraphNode, flow: Flow | null, frame: HTMLElement | null): void {
  if (flow === null || frame === null) return
  const view = flow.getViewport()
  const left = x * view.zoom + view.x
  const top = y * view.zoom + view.y
  const isVisible =
    left >= 0 &&
    top >= 0 &&
    left + width * view.zoom <= frame.clientWidth &&
    top + height * view.zoom <= frame.clientHeight
  if (isVisible) return
  void flow.setCenter(x + width / 2, y + height / 2, { zoom: view.zoom, duration: motionMs(150) })
}

function Card({ id, data: { node, isSelected, onOpen } }: NodeProps<CardNode>) {
  return (
    <>
      <CardEnds />
      <button
        type="button"
        className={`${classes.card} nopan`}
        {...{ [cardAttribute]: id }}
        data-kind={node.kind}
        aria-current={isSelected || undefined}
        tabIndex={isSelected ? 0 : -1}
        onClick={onOpen}
      >
        <NodeCard node={node} />
      </button>
    </>
  )
}

const nodeTypes = { card: Card }
