import {
  getNodesBounds,
  type NodeTypes,
  ReactFlow,
  type ReactFlowInstance,
  SelectionMode,
  useStore,
} from '@xyflow/react'
import { type RefObject, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Command, useCommands } from '../../ui/commands/commands.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { Size } from '../document/geometry.ts'
import { cardsMax } from '../state/canvas.ts'
import { useCanvas, useDocument, useEditor } from '../state/editor-context.ts'
import { focusSelected } from './actions/focus.ts'
import { fit, fitPadding, fitZoomMax } from './actions/move.ts'
import { afterPaint } from './after-paint.ts'
import { changeCommands, historyCommands } from './commands/change.ts'
import { goCommands, moveCommands } from './commands/move.ts'
import { viewCommands } from './commands/view.ts'
import '@xyflow/react/dist/base.css'
import { useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { gridStep } from '../document/layout.ts'
import classes from './canvas.module.css'
import { CanvasDialogs } from './canvas-dialogs.tsx'
import { CanvasTools } from './canvas-tools.tsx'
import { EmptyCanvas } from './empty-canvas.tsx'
import type { CardNode, WireEdge } from './flow.ts'
import { GraphMap } from './graph-map.tsx'
import { NodeCard, OutputCard } from './node-card.tsx'
import { NoteCard } from './note-card.tsx'
import { Problems } from './problems-list.tsx'
import { useClipboardEvents } from './use-clipboard-events.ts'
import { useFlowElements } from './use-flow-elements.ts'
import { useFlowHandlers } from './use-flow-handlers.ts'
import { useView } from './use-view.ts'
import { WireLine } from './wire.tsx'
import './viewport.css'

const CanvasMenu = lazyPart(() => import('./canvas-menu.tsx'), 'CanvasMenu')

const nodeTypes: NodeTypes = { operation: NodeCard, result: OutputCard, note: NoteCard }
const edgeTypes = { wire: WireLine }
const snapGrid: [number, number] = [gridStep, gridStep]
const multiSelectionKeys = ['Shift', 'Meta', 'Control']
const panButtons = [0, 1]
/** The first view shows the entire graph. A larger graph is shown at the lowest readable zoom. */
const minZoomOf = (cards: number) => (cards > cardsMax ? 0.35 : 0.15)
/** Zoom: below this zoom, small text is hidden and important text is larger. */
const farZoom = 0.72
/** Zoom: below this zoom, cards show only their image, their name and the ends of wires. */
const distantZoom = 0.3

/** The graph, with all pointer and keyboard actions on it. */
export function WorkflowCanvas() {
  const editor = useEditor()
  const { isReadOnly } = editor
  const scheme = useComputedColorScheme('light')
  const isSnapping = useCanvas((ui) => ui.isSnapping)
  const hasMinimap = useCanvas((ui) => ui.hasMinimap)
  const hasMenu = useCanvas((ui) => ui.menu !== undefined)
  const distance = useStore(({ transform: [, , zoom] }) =>
    zoom < distantZoom ? 'distant' : zoom < farZoom ? 'far' : undefined,
  )
  const announcement = useCanvas((ui) => ui.announcement)
  const isEmpty = useDocument(({ document }) => Object.keys(document.nodes).length === 0)
  // The first view depends on the nodes at the beginning. Added nodes don't change it.
  const [openedWith] = useState(() => Object.keys(editor.document.getState().document.nodes).length)
  const [fitOptions] = useState(() => ({
    padding: fitPadding,
    maxZoom: fitZoomMax(window.innerWidth),
    minZoom: minZoomOf(openedWith),
  }))
  const { nodes, edges, onNodesChange, onEdgesChange, noteDrag, saveMoved } = useFlowElements()
  const { rootProps, ...handlers } = useFlowHandlers(saveMoved)
  const root = useRef<HTMLElement | null>(null)
  const view = useView()
  useCanvasCommands()
  useClipboardEvents()
  useRestoreFocus()
  useStableCentre(root)
  const attach = useCallback(
    (element: HTMLElement | null) => {
      root.current = element
      editor.view.element = element ?? undefined
    },
    [editor],
  )
  return (
    <section
      ref={attach}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas handles keys and paste events
      tabIndex={0}
      className={classes.root}
      aria-label="Canvas"
      data-canvas
      data-far={distance}
      {...rootProps}
    >
      <ReactFlow<CardNode, WireEdge>
        nodes={nodes}
        edges={edges}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        {...noteDrag}
        {...handlers}
        {...view}
        colorMode={scheme}
        snapToGrid={isSnapping}
        snapGrid={snapGrid}
        minZoom={0.1}
        maxZoom={2}
        nodesDraggable={!isReadOnly}
        nodesConnectable={!isReadOnly}
        edgesReconnectable={!isReadOnly}
        fitView={openedWith > 0}
        fitViewOptions={fitOptions}
        selectionMode={SelectionMode.Partial}
        selectionKeyCode="Shift"
        multiSelectionKeyCode={multiSelectionKeys}
        deleteKeyCode={null}
        disableKeyboardA11y
        edgesFocusable={false}
        panOnDrag={panButtons}
        panOnScroll={false}
        zoomOnDoubleClick={false}
        connectionRadius={28}
        nodeDragThreshold={2}
        elevateNodesOnSelect
        attributionPosition="bottom-right"
      >
        {hasMinimap && !isEmpty ? <GraphMap /> : null}
      </ReactFlow>
      <CanvasTools />
      {isReadOnly ? null : (
        <>
          {isEmpty ? <EmptyCanvas /> : null}
          <Problems />
          <Suspense>{hasMenu && <CanvasMenu />}</Suspense>
        </>
      )}
      <CanvasDialogs />
      <VisuallyHidden aria-live="polite">{announcement}</VisuallyHidden>
    </section>
  )
}

/** Registers the commands of the canvas. */
function useCanvasCommands(): void {
  const editor = useEditor()
  const isStageOpen = useCanvas((ui) => ui.isStageOpen)
  const commands = useMemo((): Command[] => {
    const history = editor.isReadOnly ? [] : historyCommands(editor)
    // The stage has its own, on the graph behind it nothing can be done.
    if (isStageOpen) return history
    return [
      ...history,
      ...(editor.isReadOnly ? [] : [...changeCommands(editor), ...moveCommands(editor)]),
      ...goCommands(editor),
      ...viewCommands(editor),
    ]
  }, [editor, isStageOpen])
  useCommands(commands)
}

/**
 * Moves the focus to the selected card or the canvas when the focused element is removed, such as a copy that is undone. Otherwise the
 * next key would be lost.
 */
function useRestoreFocus(): void {
  const editor = useEditor()
  useEffect(
    () =>
      editor.document.subscribe((now, before) => {
        const root = editor.view.element
        if (now.document === before.document || !root?.contains(document.activeElement)) return
        // After rendering, and after the action that changed the document had its chance to set the focus.
        afterPaint(() => {
          if (document.activeElement === document.body) focusSelected(editor)
        })
      }),
    [editor],
  )
}

/**
 * Keeps the centre of the view when a panel next to the canvas opens, closes or is resized. If all cards were visible
 * and would not be any more, fits them into the view again.
 */
function useStableCentre(root: RefObject<HTMLElement | null>): void {
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
