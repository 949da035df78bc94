import { useNavigate } from '@tanstack/react-router'
import type { Connection, Edge, FinalConnectionState, IsValidConnection, ReactFlowInstance } from '@xyflow/react'
import { type DragEvent, type FocusEvent, type MouseEvent, type PointerEvent, useMemo, useState } from 'react'
import { sourceText, type Wire, wireProblem } from '../document/wires.ts'
import { usedOperationOf } from '../form/used-operation.ts'
import { type MenuTarget, selectOnly } from '../state/canvas.ts'
import type { Editor } from '../state/editor.ts'
import { useEditor } from '../state/editor-context.ts'
import { insertNode } from './actions/add.ts'
import { announceError } from './actions/announce.ts'
import { connectWire, disconnectWires, reconnectWire } from './actions/change.ts'
import { addFiles } from './actions/files.ts'
import { hasPicture, inspect, openStage } from './actions/focus.ts'
import { type CardNode, sourceAt, type WireEdge } from './flow.ts'

type Flow = ReactFlowInstance<CardNode, WireEdge>

/**
 * Pointer actions on the canvas. The handlers stay the same objects, so that React Flow does not process them again.
 */
export function useFlowHandlers(saveMoved: KeepMoved) {
  const editor = useEditor()
  const [isDropping, setDropping] = useState(false)
  const navigate = useNavigate()
  const handlers = useMemo(() => {
    const open = (workflowId: string) => void navigate({ to: '/workflows/$workflowId', params: { workflowId } })
    return flowHandlers(editor, saveMoved, open)
  }, [editor, saveMoved, navigate])
  const focusProps = {
    // Moving the focus with the keyboard selects the card. A click selects it anyway.
    onFocus({ target }: FocusEvent<HTMLElement>) {
      const id = target.matches('.react-flow__node:focus-visible') ? target.dataset.id : undefined
      if (id !== undefined) editor.view.usesPointer = false
      if (id !== undefined && !editor.document.getState().selection.includes(id)) selectOnly(editor, id)
    },
    onPointerDown({ target, pointerId, pointerType, shiftKey }: PointerEvent) {
      editor.view.usesPointer =
        target instanceof Element && target.closest('.react-flow__pane,.react-flow__node') !== null
      // Panning: with pointer capture, the browser does not search thousands of elements for the one under the pointer.
      const isPane = target instanceof Element && target.matches('.react-flow__pane')
      if (isPane && pointerType === 'mouse' && !shiftKey) target.setPointerCapture(pointerId)
    },
  }
  const { onInit, onPaneClick } = handlers
  if (editor.isReadOnly) return { onInit, onPaneClick, rootProps: focusProps }
  const rootProps = {
    ...focusProps,
    'data-dropping': isDropping || undefined,
    onDoubleClick({ target, clientX, clientY }: MouseEvent) {
      if (!(target instanceof Element) || !target.matches('.react-flow__pane')) return
      const screen = { x: clientX, y: clientY }
      const at = editor.view.flow?.screenToFlowPosition(screen)
      editor.canvas.setState({ palette: { screen, ...(at === undefined ? {} : { at }) } })
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
      const at = editor.view.flow?.screenToFlowPosition({ x: clientX, y: clientY })
      const onto = target instanceof Element ? target.closest<HTMLElement>('.react-flow__node')?.dataset.id : undefined
      void addFiles(editor, files, { at, onto })
    },
  }
  return { ...handlers, rootProps }
}

type KeepMoved = (moved: readonly CardNode[], reconnected: CardNode | undefined) => void

function flowHandlers(editor: Editor, saveMoved: KeepMoved, openWorkflow: (workflowId: string) => void) {
  const { catalogue } = editor
  /** The wire whose end is being dragged. */
  let reconnected: WireEdge | undefined
  let isReconnected = true

  const isValidConnection: IsValidConnection<WireEdge> = (connection) =>
    wireProblem(editor.document.getState().document, catalogue, wireOf(connection)) === undefined

  const openMenu = (event: MouseEvent | globalThis.MouseEvent, target: MenuTarget) => {
    event.preventDefault()
    const screen = { x: event.clientX, y: event.clientY }
    editor.canvas.setState({ menu: { screen, at: editor.view.flow?.screenToFlowPosition(screen) ?? screen, target } })
  }

  return {
    onInit(flow: Flow) {
      editor.view.flow = flow as unknown as ReactFlowInstance
    },
    isValidConnection,
    onConnect(connection: Connection) {
      connectWire(editor, wireOf(connection))
    },
    onConnectEnd(event: globalThis.MouseEvent | TouchEvent, state: FinalConnectionState) {
      if (state.isValid || reconnected !== undefined) return
      const { fromNode, fromHandle, toNode, toHandle } = state
      if (fromNode === null || fromHandle === null) return
      const screen = pointOf(event)
      if (toNode !== null && toHandle !== null) {
        if (toNode.id === fromNode.id && toHandle.id === fromHandle.id) return
        const isForward = fromHandle.type === 'source'
        const [source, handle, target, socket] = isForward
          ? [fromNode, fromHandle, toNode, toHandle]
          : [toNode, toHandle, fromNode, fromHandle]
        const wire = {
          source: source.id,
          ...sourceAt(source.id, handle.id),
          target: target.id,
          socket: socket.id ?? '',
        }
        const sameKind = fromHandle.type === toHandle.type
        const reason = sameKind
          ? 'Connect an output on the right of a node to an input on the left of another node.'
          : wireProblem(editor.document.getState().document, catalogue, wire)
        if (reason !== undefined) announceError(editor, reason)
        return
      }
      const at = editor.view.flow?.screenToFlowPosition(screen)
      const position = at === undefined ? {} : { at: { x: at.x, y: at.y - 24 } }
      const isSource = fromHandle.type === 'source'
      const request = isSource
        ? { from: sourceText(sourceAt(fromNode.id, fromHandle.id) ?? { source: fromNode.id }) }
        : { to: { target: fromNode.id, socket: fromHandle.id ?? '' }, ...position }
      const leftOf = at === undefined || isSource ? position : { at: { x: at.x - 216, y: at.y - 24 } }
      editor.canvas.setState({ palette: { ...request, ...leftOf, screen } })
    },
    onReconnectStart(_event: MouseEvent, edge: WireEdge) {
      reconnected = edge
      isReconnected = false
    },
    onReconnect(edge: WireEdge, connection: Connection) {
      isReconnected = true
      if (edge.data !== undefined) reconnectWire(editor, edge.data.wire, wireOf(connection))
    },
    onReconnectEnd(_event: unknown, edge: Edge, _type: unknown, state: FinalConnectionState) {
      const wire = (edge as WireEdge).data?.wire
      // Dropped on the empty canvas: the wire is removed. Dropped on a socket that does not fit: it stays.
      if (!isReconnected && state.toNode === null && wire !== undefined) disconnectWires(editor, [wire])
      reconnected = undefined
    },
    onNodeDragStop(event: globalThis.MouseEvent | TouchEvent, node: CardNode, moved: CardNode[]) {
      saveMoved(moved, node)
      if (moved.length === 1) insertDropped(editor, node, pointOf(event))
    },
    onSelectionDragStop(_event: unknown, moved: CardNode[]) {
      saveMoved(moved, undefined)
    },
    onNodeClick({ shiftKey, ctrlKey, metaKey }: MouseEvent, node: CardNode) {
      if (!shiftKey && !ctrlKey && !metaKey) selectOnly(editor, node.id)
    },
    onNodeDoubleClick({ target }: MouseEvent, node: CardNode) {
      const isOnPicture = target instanceof Element && target.closest('[data-picture]') !== null
      if (isOnPicture && hasPicture(editor, node.id)) {
        openStage(editor, node.id)
        return
      }
      const used = usedOperationOf(editor.catalogue, editor.document.getState().document.nodes[node.id])
      if (used) openWorkflow(used.workflowId)
      else inspect(editor, node.id)
    },
    onNodeContextMenu(event: MouseEvent, node: CardNode) {
      if (!editor.document.getState().selection.includes(node.id)) selectOnly(editor, node.id)
      openMenu(event, { kind: 'node', id: node.id })
    },
    onSelectionContextMenu(event: MouseEvent, nodes: CardNode[]) {
      const [node] = nodes
      if (node !== undefined) openMenu(event, { kind: 'node', id: node.id })
    },
    onEdgeContextMenu(event: MouseEvent, edge: WireEdge) {
      if (edge.data?.kind === 'reference') return
      editor.canvas.setState({ selectedWires: [edge.id] })
      openMenu(event, { kind: 'wire', id: edge.id })
    },
    onPaneContextMenu(event: MouseEvent | globalThis.MouseEvent) {
      openMenu(event, { kind: 'pane' })
    },
    onPaneClick() {
      editor.view.element?.focus({ preventScroll: true })
    },
  }
}

function wireOf({ source, target, targetHandle, sourceHandle }: Connection | Edge): Wire {
  // Only handles of images start a wire. For other handles, `wireProblem` reports that the empty node id does not
  // exist.
  return { source: '', ...sourceAt(source, sourceHandle), target, socket: targetHandle ?? '' }
}

function pointOf(event: globalThis.MouseEvent | TouchEvent): { x: number; y: number } {
  const touch = 'changedTouches' in event ? event.changedTouches[0] : event
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 }
}

/** Inserts an unconnected node on the wire that it was dropped on. */
function insertDropped(editor: Editor, { id }: CardNode, point: { x: number; y: number }): void {
  const { document } = editor.document.getState()
  const node = document.nodes[id]
  if (node === undefined || Object.keys(node.inputs ?? {}).length > 0) return
  const box = editor.view.element
    ?.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
    ?.getBoundingClientRect()
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
    const edge = edgeId === undefined ? undefined : editor.view.flow?.getEdge(edgeId)
    const wire = (edge as WireEdge | undefined)?.data
    if (wire !== undefined && wire.kind !== 'reference' && insertNode(editor, wire.wire, id)) return
  }
}
