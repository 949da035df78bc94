/** The state of the canvas in addition to the document, and helpers for its actions. */
import type { ReactFlowInstance } from '@xyflow/react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Box, Point } from '../document/geometry.ts'
import { addMissingPositions, cardSize, positionsOf } from '../document/layout.ts'
import { noteOf } from '../document/notes.ts'
import type { Wire } from '../document/wires.ts'
import { outputId } from '../document/wires.ts'
import type { Editor } from './editor.ts'

/** The purpose of the palette. Without `from`, `to` and `wire`, it adds an unconnected node. */
export interface PaletteRequest {
  /** The position of the new node. Default: a free position. */
  at?: Point
  /** The position of the palette in the window. Default: the middle. */
  screen?: Point
  /** The source of the new node, as in the document: `card` or `card.story`. */
  from?: string
  /** The socket that gets the image of the new node. */
  to?: { target: string; socket: string }
  /** The wire to insert the new node into. */
  wire?: Wire
  /** Place an operation without inputs over the image of `from`. */
  isOver?: boolean
  /** Successive additions with the same key are one entry of the history. */
  key?: string
}

/** A graph with more cards is large: not all of them are readable in one view. */
export const cardsMax = 24

export type MenuTarget = { kind: 'pane' } | { kind: 'node'; id: string } | { kind: 'wire'; id: string }

export interface CanvasState {
  palette: PaletteRequest | undefined
  menu: { screen: Point; at: Point; target: MenuTarget } | undefined
  /** The open list of connections of a node. */
  picker: { kind: 'connect' | 'disconnect'; id: string } | undefined
  /** Whether the list of nodes is open. */
  isFinding: boolean
  /** Whether the stage shows the picture of the selected node instead of the graph. */
  isStageOpen: boolean
  /** Whether the dialog "Turn into a workflow" is open. */
  isTurning: boolean
  /** Ids of the selected wires. */
  selectedWires: readonly string[]
  isSnapping: boolean
  hasMinimap: boolean
  /** Text for screen readers. */
  announcement: string
}

export type CanvasStore = StoreApi<CanvasState>

export function createCanvasStore(): CanvasStore {
  return createStore<CanvasState>(() => ({
    palette: undefined,
    menu: undefined,
    picker: undefined,
    isFinding: false,
    isStageOpen: false,
    isTurning: false,
    selectedWires: [],
    isSnapping: true,
    hasMinimap: true,
    announcement: '',
  }))
}

/** The drawn canvas. React and React Flow set the optional fields while the canvas is mounted. */
export interface CanvasView {
  /** Positions of the cards for which the document has none. They enter the document when a card is moved. */
  autoPositions: Map<string, Point>
  /** Whether the pointer was used last, not the keyboard: then Tab adds a node. */
  usesPointer: boolean
  flow?: ReactFlowInstance
  element?: HTMLElement | undefined
  /** Called at each step of panning and zooming: see `useView`. */
  onMove?: (() => void) | undefined
}

/** The positions of all cards. The output card is next to its source, unless the document has a position for it. */
export function cardPositions({ document: store, catalogue, view }: Editor): Map<string, Point> {
  const { document } = store.getState()
  const ids = Object.keys(document.nodes)
  if (ids.length === 0) return new Map()
  const all = new Map([...view.autoPositions].filter(([id]) => Object.hasOwn(document.nodes, id)))
  for (const [id, position] of positionsOf(document)) all.set(id, position)
  if (ids.every((id) => all.has(id)) && all.has(outputId)) return all
  const completed = addMissingPositions(document, catalogue, all)
  for (const id of ids) {
    const position = all.has(id) ? undefined : completed.get(id)
    if (position !== undefined) view.autoPositions.set(id, position)
  }
  return completed
}

/** Selects only this card and no wire, so that "Delete" removes only what is visibly selected. */
export function selectOnly({ document, canvas }: Editor, id: string): void {
  document.getState().select([id])
  if (canvas.getState().selectedWires.length > 0) canvas.setState({ selectedWires: [] })
}

/** Positions and sizes of cards and notes. */
export function cardBoxes(editor: Editor, ids: readonly string[]): Map<string, Box> {
  const positions = cardPositions(editor)
  const { document } = editor.document.getState()
  return new Map(
    ids.flatMap((id): [string, Box][] => {
      const note = noteOf(document, id)
      if (note !== undefined) return [[id, { ...note.at, ...note.size }]]
      const position = positions.get(id)
      if (position === undefined) return []
      const measured = editor.view.flow?.getInternalNode(id)?.measured
      const size = cardSize(document, id, editor.catalogue)
      return [[id, { ...position, width: measured?.width ?? size.width, height: measured?.height ?? size.height }]]
    }),
  )
}
