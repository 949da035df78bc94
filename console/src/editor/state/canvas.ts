/** What the parts of the canvas share besides the document: its own state, and what its actions need to work. */
import type { ReactFlowInstance } from '@xyflow/react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Box, Point } from '../document/geometry.ts'
import { cardSize, placeOthers, placesOf } from '../document/layout.ts'
import { noteOf } from '../document/notes.ts'
import type { Wire } from '../document/wires.ts'
import { outputId } from '../document/wires.ts'
import type { Editor } from './editor.ts'

/** What the palette is open for; with none of the three, a node of its own. */
export interface PaletteRequest {
  /** Where the new node is to stand, on the canvas; absent: where there is room. */
  at?: Point
  /** Where the palette opens, in the window; absent: in the middle. */
  screen?: Point
  /** The new node takes the image of this one. */
  from?: string
  /** The new node gives its image to this socket. */
  to?: { target: string; socket: string }
  /** The new node stands in this wire. */
  wire?: Wire
}

export type MenuTarget = { kind: 'pane' } | { kind: 'node'; id: string } | { kind: 'wire'; id: string }

export interface CanvasState {
  palette: PaletteRequest | undefined
  menu: { screen: Point; at: Point; target: MenuTarget } | undefined
  /** The list of what a node's image can go to, or of its wires. */
  picker: { kind: 'connect' | 'disconnect'; id: string } | undefined
  /** Ids of wires. */
  selectedWires: readonly string[]
  isSnapping: boolean
  hasMinimap: boolean
  /** Read out by screen readers. */
  announcement: string
}

export type CanvasStore = StoreApi<CanvasState>

export function createCanvasStore(): CanvasStore {
  return createStore<CanvasState>(() => ({
    palette: undefined,
    menu: undefined,
    picker: undefined,
    selectedWires: [],
    isSnapping: true,
    hasMinimap: true,
    announcement: '',
  }))
}

/** The drawn canvas. React and React Flow set the optional fields while the canvas is mounted. */
export interface CanvasView {
  /** Places of the cards for which the document has none. They enter the document when a card is moved. */
  autoPlaces: Map<string, Point>
  /** Whether the pointer was used last, not the keyboard: then Tab adds a node. */
  usesPointer: boolean
  flow?: ReactFlowInstance
  element?: HTMLElement | undefined
  /** Called at each step of panning and zooming: see `useView`. */
  onMove?: (() => void) | undefined
}

/** Where every card stands. The output card stands beside what it shows, unless the document has a place for it. */
export function cardPlaces({ document: store, catalogue, view }: Editor): Map<string, Point> {
  const { document } = store.getState()
  const ids = Object.keys(document.nodes)
  if (ids.length === 0) return new Map()
  const all = new Map([...view.autoPlaces].filter(([id]) => Object.hasOwn(document.nodes, id)))
  for (const [id, place] of placesOf(document)) all.set(id, place)
  if (ids.every((id) => all.has(id)) && all.has(outputId)) return all
  const completed = placeOthers(document, catalogue, all)
  for (const id of ids) {
    const place = all.has(id) ? undefined : completed.get(id)
    if (place !== undefined) view.autoPlaces.set(id, place)
  }
  return completed
}

/** This card and nothing else, no wire either: what is deleted next is what one sees to be selected. */
export function selectOnly({ document, canvas }: Editor, id: string): void {
  document.getState().select([id])
  if (canvas.getState().selectedWires.length > 0) canvas.setState({ selectedWires: [] })
}

/** Where these cards stand, and how large they are. */
export function cardBoxes(editor: Editor, ids: readonly string[]): Map<string, Box> {
  const places = cardPlaces(editor)
  const { document } = editor.document.getState()
  return new Map(
    ids.flatMap((id): [string, Box][] => {
      const note = noteOf(document, id)
      if (note !== undefined) return [[id, { ...note.at, ...note.size }]]
      const place = places.get(id)
      if (place === undefined) return []
      const measured = editor.view.flow?.getInternalNode(id)?.measured
      const size = cardSize(document, id, editor.catalogue)
      return [[id, { ...place, width: measured?.width ?? size.width, height: measured?.height ?? size.height }]]
    }),
  )
}
