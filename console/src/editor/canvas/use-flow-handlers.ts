import type { Connection, Edge, FinalConnectionState, IsValidConnection, ReactFlowInstance } from '@xyflow/react'
import { type DragEvent, type FocusEvent, type MouseEvent, type PointerEvent, useMemo, useState } from 'react'
import { type Wire, whyNot } from '../document/wires.ts'
import { type Canvas, selectOnly, useCanvas } from '../state/canvas-model.ts'
import { insertNode } from './actions/add.ts'
import { connectWire, disconnectWires, reconnectWire } from './actions/change.ts'
import { takeFiles } from './actions/files.ts'
import { inspect } from './actions/focus.ts'
import { refuse } from './actions/say.ts'
import classes from './canvas.module.css'
import { type CardNode, imageHandle, type WireEdge } from './flow.ts'

type Flow = ReactFlowInstance<CardNode, WireEdge>

/** What the pointer does on the canvas. The handlers stay the same, so that React Flow need not look at them again. */
export function useFlowHandlers(keepMoved: KeepMoved) {
  const canvas = useCanvas()
  const [isDropping, setDropping] = useState(false)
  const handlers = useMemo(() => flowHandlers(canvas, keepMoved), [canvas, keepMoved])
  const dropProps = {
    'data-dropping': isDropping || undefined,
    // The keyboard's way from card to card selects them; what was clicked is selected anyway.
    onFocus({ target }: FocusEvent<HTMLElement>) {
      const id = target.matches('.react-flow__node:focus-visible') ? target.dataset.id : undefined
      if (id !== undefined) canvas.isPointing = false
      if (id !== undefined && !canvas.editor.getState().selection.includes(id)) selectOnly(canvas, id)
    },
    onPointerDown({ target, pointerId, pointerType, shiftKey }: PointerEvent) {
      canvas.isPointing = target instanceof Element && target.closest('.react-flow__pane,.react-flow__node') !== null
      // It pans: while it does, the browser need not look for what is below the pointer, in thousands of elements.
      const isPane = target instanceof Element && target.matches('.react-flow__pane')
      if (isPane && pointerType === 'mouse' && !shiftKey) target.setPointerCapture(pointerId)
    },
    onDoubleClick({ target, clientX, clientY }: MouseEvent) {
      if (!(target instanceof Element) || !target.matches('.react-flow__pane')) return
      const screen = { x: clientX, y: clientY }
      const at = canvas.flow?.screenToFlowPosition(screen)
      canvas.ui.setState({ palette: { screen, ...(at === undefined ? {} : { at }) } })
    },
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setDropping(true)
    },
    onDragLeave(event: DragEvent<HTMLElement>) {
      if (!event.currentTarget.contains(event.relatedTarget as globalThis.Node | null)) setDropping(false)
    },
    onDrop(event: DragEvent) {
      setDropping(false)
      const files = [...event.dataTransfer.files]
      if (files.length === 0) return
      event.preventDefault()
      const { target, clientX, clientY } = event
      const at = canvas.flow?.screenToFlowPosition({ x: clientX, y: clientY })
      const onto = target instanceof Element ? target.closest<HTMLElement>('.react-flow__node')?.dataset.id : undefined
      void takeFiles(canvas, files, { at, onto })
    },
    ...(isDropping ? { className: `${classes.root} ${classes.dropping}` } : {}),
  }
  return { ...handlers, dropProps }
}

type KeepMoved = (moved: readonly CardNode[], taken: CardNode | undefined) => void

function flowHandlers(canvas: Canvas, keepMoved: KeepMoved) {
  const { editor, catalogue, ui } = canvas
  /** The wire that was taken at one end, while it is. */
  let taken: WireEdge | undefined
  let isPutBack = true

  const isValidConnection: IsValidConnection<WireEdge> = (connection) =>
    whyNot(editor.getState().document, catalogue, wireOf(connection)) === undefined

  const openMenu = (event: MouseEvent | globalThis.MouseEvent, target: NonNullable<ReturnType<typeof menuOf>>) => {
    event.preventDefault()
    const screen = { x: event.clientX, y: event.clientY }
    ui.setState({ menu: { screen, at: canvas.flow?.screenToFlowPosition(screen) ?? screen, target } })
  }

  return {
    onInit(flow: Flow) {
      canvas.flow = flow as unknown as ReactFlowInstance
    },
    isValidConnection,
    onConnect(connection: Connection) {
      connectWire(canvas, wireOf(connection))
    },
    onConnectEnd(event: globalThis.MouseEvent | TouchEvent, state: FinalConnectionState) {
      if (state.isValid || taken !== undefined) return
      const { fromNode, fromHandle, toNode, toHandle } = state
      if (fromNode === null || fromHandle === null) return
      const screen = pointOf(event)
      if (toNode !== null && toHandle !== null) {
        if (toNode.id === fromNode.id && toHandle.id === fromHandle.id) return
        const isForward = fromHandle.type === 'source'
        const [source, target, socket] = isForward ? [fromNode, toNode, toHandle] : [toNode, fromNode, fromHandle]
        const wire = { source: source.id, target: target.id, socket: socket.id ?? '' }
        const sameKind = fromHandle.type === toHandle.type
        const reason = sameKind
          ? 'A wire leads from an image on the right of a card to a socket on the left of another.'
          : whyNot(editor.getState().document, catalogue, wire)
        if (reason !== undefined) refuse(canvas, reason)
        return
      }
      const at = canvas.flow?.screenToFlowPosition(screen)
      const place = at === undefined ? {} : { at: { x: at.x, y: at.y - 24 } }
      const isSource = fromHandle.type === 'source'
      const request = isSource
        ? { from: fromNode.id }
        : { to: { target: fromNode.id, socket: fromHandle.id ?? '' }, ...place }
      const leftOf = at === undefined || isSource ? place : { at: { x: at.x - 216, y: at.y - 24 } }
      ui.setState({ palette: { ...request, ...leftOf, screen } })
    },
    onReconnectStart(_event: MouseEvent, edge: WireEdge) {
      taken = edge
      isPutBack = false
    },
    onReconnect(edge: WireEdge, connection: Connection) {
      isPutBack = true
      if (edge.data !== undefined) reconnectWire(canvas, edge.data.wire, wireOf(connection))
    },
    onReconnectEnd(_event: unknown, edge: Edge, _type: unknown, state: FinalConnectionState) {
      const wire = (edge as WireEdge).data?.wire
      // Dropped into the empty: taken off. On what it cannot go to: as it was.
      if (!isPutBack && state.toNode === null && wire !== undefined) disconnectWires(canvas, [wire])
      taken = undefined
    },
    onNodeDragStop(event: globalThis.MouseEvent | TouchEvent, node: CardNode, moved: CardNode[]) {
      keepMoved(moved, node)
      if (moved.length === 1) insertDropped(canvas, node, pointOf(event))
    },
    onSelectionDragStop(_event: unknown, moved: CardNode[]) {
      keepMoved(moved, undefined)
    },
    onNodeDoubleClick(_event: MouseEvent, node: CardNode) {
      inspect(canvas, node.id)
    },
    onNodeContextMenu(event: MouseEvent, node: CardNode) {
      if (!editor.getState().selection.includes(node.id)) selectOnly(canvas, node.id)
      openMenu(event, { kind: 'node', id: node.id })
    },
    onSelectionContextMenu(event: MouseEvent, nodes: CardNode[]) {
      const [node] = nodes
      if (node !== undefined) openMenu(event, { kind: 'node', id: node.id })
    },
    onEdgeContextMenu(event: MouseEvent, edge: WireEdge) {
      if (edge.data?.kind === 'reference') return
      ui.setState({ selectedWires: [edge.id] })
      openMenu(event, { kind: 'wire', id: edge.id })
    },
    onPaneContextMenu(event: MouseEvent | globalThis.MouseEvent) {
      openMenu(event, { kind: 'pane' })
    },
    onPaneClick() {
      canvas.root?.focus({ preventScroll: true })
    },
  }
}

function menuOf(ui: Canvas['ui']) {
  return ui.getState().menu?.target
}

function wireOf({ source, target, targetHandle, sourceHandle }: Connection | Edge): Wire {
  // What does not leave by the image handle is no wire: `whyNot` says so of a node that is not there.
  return { source: sourceHandle === imageHandle ? source : '', target, socket: targetHandle ?? '' }
}

function pointOf(event: globalThis.MouseEvent | TouchEvent): { x: number; y: number } {
  const touch = 'changedTouches' in event ? event.changedTouches[0] : event
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 }
}

/** A node without wires that was dropped on one is put on it. */
function insertDropped(canvas: Canvas, { id }: CardNode, point: { x: number; y: number }): void {
  const { document } = canvas.editor.getState()
  const node = document.nodes[id]
  if (node === undefined || Object.keys(node.inputs ?? {}).length > 0) return
  const box = canvas.root?.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`)?.getBoundingClientRect()
  const centre =
    box === undefined
      ? []
      : [
          { x: box.x + box.width / 2, y: box.y + box.height / 2 },
          { x: box.x + box.width / 2, y: box.y + 30 },
        ]
  for (const { x, y } of [point, ...centre]) {
    const hit = window.document.elementsFromPoint(x, y).find((element) => element.closest('.react-flow__edge'))
    const edgeId = hit?.closest<SVGElement>('.react-flow__edge')?.dataset.id
    const edge = edgeId === undefined ? undefined : canvas.flow?.getEdge(edgeId)
    const wire = (edge as WireEdge | undefined)?.data
    if (wire !== undefined && wire.kind !== 'reference' && insertNode(canvas, wire.wire, id)) return
  }
}
