import { type Dispatch, type SetStateAction, useMemo } from 'react'
import type { Point } from '../document/geometry.ts'
import { isNote } from '../document/notes.ts'
import { cardBoxes } from '../state/canvas.ts'
import type { Editor } from '../state/editor.ts'
import type { CardNode } from './flow.ts'

/** Moves the cards that are entirely on a dragged note. */
export function useNoteDrag(editor: Editor, setNodes: Dispatch<SetStateAction<CardNode[]>>) {
  return useMemo(() => {
    let from: Point = { x: 0, y: 0 }
    let moving = new Map<string, Point>()
    const positionsAt = ({ x, y }: Point) =>
      new Map([...moving].map(([id, position]) => [id, { x: position.x + x - from.x, y: position.y + y - from.y }]))
    const setPositions = (positions: ReadonlyMap<string, Point>, dragging: boolean) =>
      setNodes((before) =>
        before.map((node) => {
          const position = positions.get(node.id)
          return position === undefined ? node : { ...node, position, dragging }
        }),
      )
    return {
      onNodeDragStart(_event: unknown, { position }: CardNode, dragged: readonly CardNode[]) {
        from = position
        moving = positionsOnNotes(editor, dragged)
      },
      onNodeDrag(_event: unknown, { position }: CardNode) {
        if (moving.size > 0) setPositions(positionsAt(position), true)
      },
      /** Ends the drag and returns the new positions. */
      end({ position }: CardNode): Map<string, Point> {
        const positions = positionsAt(position)
        if (positions.size > 0) setPositions(positions, false)
        moving = new Map()
        return positions
      },
    }
  }, [editor, setNodes])
}

function positionsOnNotes(editor: Editor, dragged: readonly CardNode[]): Map<string, Point> {
  const notes = dragged.filter(({ id }) => isNote(id))
  if (notes.length === 0) return new Map()
  const ids = editor.view.flow?.getNodes().map(({ id }) => id) ?? []
  const boxes = cardBoxes(editor, ids)
  const draggedIds = new Set(dragged.map(({ id }) => id))
  const grounds = notes.flatMap(({ id }) => boxes.get(id) ?? [])
  return new Map(
    [...boxes].flatMap(([id, { x, y, width, height }]): [string, Point][] => {
      const isOn = grounds.some(
        (ground) =>
          x >= ground.x &&
          y >= ground.y &&
          x + width <= ground.x + ground.width &&
          y + height <= ground.y + ground.height,
      )
      return isOn && !draggedIds.has(id) ? [[id, { x, y }]] : []
    }),
  )
}
