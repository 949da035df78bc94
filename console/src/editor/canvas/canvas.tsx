import { useCanvas, useDocument, useEditor } from '../state/editor-context.ts'
import '@xyflow/react/dist/base.css'
import { useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { type NodeTypes, ReactFlow, SelectionMode, useStore } from '@xyflow/react'
import { useCallback, useRef, useState } from 'react'
import { gridStep } from '../document/layout.ts'
import { fitPadding } from './actions/move.ts'
import { AddPalette } from './add-palette.tsx'
import classes from './canvas.module.css'
import { CanvasMenu } from './canvas-menu.tsx'
import { CanvasTools } from './canvas-tools.tsx'
import { ConnectPicker } from './connect-picker.tsx'
import { EmptyCanvas } from './empty-canvas.tsx'
import type { CardNode, WireEdge } from './flow.ts'
import { GraphMap } from './graph-map.tsx'
import { NodeCard, OutputCard } from './node-card.tsx'
import { NoteCard } from './note-card.tsx'
import { Problems } from './problems-list.tsx'
import { TurnDialog } from './turn-dialog.tsx'
import { useCanvasCommands } from './use-canvas-commands.ts'
import { useClipboardEvents } from './use-clipboard-events.ts'
import { useFlowElements } from './use-flow-elements.ts'
import { useFlowHandlers } from './use-flow-handlers.ts'
import { useRestoreFocus } from './use-restore-focus.ts'
import { useStableCentre } from './use-stable-centre.ts'
import { useView } from './use-view.ts'
import { WireLine } from './wire.tsx'
import './viewport.css'

const nodeTypes: NodeTypes = { operation: NodeCard, result: OutputCard, note: NoteCard }
const edgeTypes = { wire: WireLine }
const snapGrid: [number, number] = [gridStep, gridStep]
const multiSelectionKeys = ['Shift', 'Meta', 'Control']
const panButtons = [0, 1]
/** The first view shows the entire graph. A larger graph is shown at the lowest readable zoom. */
const cardsMax = 24
const fitOptions = { padding: fitPadding, maxZoom: 1, minZoom: 0.15 }
const fitOptionsOfMany = { ...fitOptions, minZoom: 0.35 }
/** Below this zoom, small text is hidden and important text is larger. */
const farZoom = 0.72

/** The graph, with all pointer and keyboard actions on it. */
export function WorkflowCanvas() {
  const editor = useEditor()
  const { isReadOnly } = editor
  const scheme = useComputedColorScheme('light')
  const isSnapping = useCanvas((ui) => ui.isSnapping)
  const hasMinimap = useCanvas((ui) => ui.hasMinimap)
  const isFar = useStore(({ transform: [, , zoom] }) => zoom < farZoom)
  const announcement = useCanvas((ui) => ui.announcement)
  const isEmpty = useDocument(({ document }) => Object.keys(document.nodes).length === 0)
  // The first view depends on the nodes at the beginning. Added nodes don't change it.
  const [openedWith] = useState(() => Object.keys(editor.document.getState().document.nodes).length)
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
      data-far={isFar || undefined}
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
        fitViewOptions={openedWith > cardsMax ? fitOptionsOfMany : fitOptions}
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
          <AddPalette />
          <ConnectPicker />
          <CanvasMenu />
          <TurnDialog />
        </>
      )}
      <VisuallyHidden aria-live="polite">{announcement}</VisuallyHidden>
    </section>
  )
}
