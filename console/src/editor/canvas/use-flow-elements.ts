import { applyNodeChanges, type EdgeChange, type NodeChange } from '@xyflow/react'
import { useCallback, useEffect, useState } from 'react'
import type { Point } from '../document/geometry.ts'
import { isNote } from '../document/notes.ts'
import { cardPositions } from '../state/canvas.ts'
import { useEditor } from '../state/editor-context.ts'
import { moveCards } from './actions/move.ts'
import { type CardNode, flowEdges, flowNodes, type WireEdge } from './flow.ts'
import { useNoteDrag } from './use-note-drag.ts'

/** The nodes and edges of React Flow, from the document. React Flow's changes are written back to the document. */
export function useFlowElements() {
  const editor = useEditor()
  const [nodes, setNodes] = useState<CardNode[]>(() => nodesNow([]))
  const [edges, setEdges] = useState<WireEdge[]>(() => edgesNow([]))

  function nodesNow(before: readonly CardNode[]): CardNode[] {
    const { document, selection } = editor.document.getState()
    return flowNodes(before, document, editor.catalogue, cardPositions(editor), selection)
  }
  function edgesNow(before: readonly WireEdge[]): WireEdge[] {
    return flowEdges(
      before,
      editor.document.getState().document,
      editor.catalogue,
      editor.canvas.getState().selectedWires,
    )
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: both read what is newest
  useEffect(() => {
    setNodes(nodesNow)
    setEdges(edgesNow)
    const stops = [
      editor.document.subscribe((now, before) => {
        if (now.document !== before.document || now.selection !== before.selection) setNodes(nodesNow)
        if (now.document !== before.document) setEdges(edgesNow)
      }),
      editor.canvas.subscribe((now, before) => {
        if (now.selectedWires !== before.selectedWires) setEdges(edgesNow)
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [editor, editor])

  const onNodesChange = useCallback(
    (changes: NodeChange<CardNode>[]) => {
      const others = changes.filter(({ type }) => type !== 'select' && type !== 'remove')
      if (others.length > 0) setNodes((before) => applyNodeChanges(others, before))
      const selects = changes.filter((change) => change.type === 'select')
      if (selects.length === 0) return
      const { selection, select } = editor.document.getState()
      const selected = new Set(selection)
      for (const { id, selected: isSelected } of selects) {
        if (isSelected) selected.add(id)
        else selected.delete(id)
      }
      if (selected.size !== selection.length || selection.some((id) => !selected.has(id))) select([...selected])
    },
    [editor],
  )

  const onEdgesChange = useCallback(
    (changes: EdgeChange<WireEdge>[]) => {
      const selects = changes.filter((change) => change.type === 'select')
      if (selects.length === 0) return
      const { selectedWires } = editor.canvas.getState()
      const selected = new Set(selectedWires)
      for (const { id, selected: isSelected } of selects) {
        if (isSelected) selected.add(id)
        else selected.delete(id)
      }
      editor.canvas.setState({ selectedWires: [...selected] })
    },
    [editor],
  )

  const { end: endNoteDrag, ...noteDrag } = useNoteDrag(editor, setNodes)

  /** Saves the end of a drag as one change, for all cards that it moved. `dragged`: the card under the pointer. */
  const saveMoved = useCallback(
    (moved: readonly CardNode[], dragged: CardNode | undefined) => {
      const positions = new Map<string, Point>(moved.map(({ id, position }) => [id, position]))
      for (const [id, end] of dragged === undefined ? [] : endNoteDrag(dragged)) positions.set(id, end)
      const [first] = moved
      const only = moved.length > 1 || first === undefined ? undefined : isNote(first.id) ? 'a note' : first.id
      moveCards(editor, `Move ${only ?? `${moved.length} items`}`, positions)
    },
    [editor, endNoteDrag],
  )

  return { nodes, edges, onNodesChange, onEdgesChange, noteDrag, saveMoved }
}
