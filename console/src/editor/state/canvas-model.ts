/** What the parts of the canvas share besides the document: its own state, and what its actions need to work. */
import type { ReactFlowInstance } from '@xyflow/react'
import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Catalogue } from '../../api/operations.ts'
import type { Box, Point } from '../document/geometry.ts'
import { cardSize, placeOthers, placesOf } from '../document/layout.ts'
import { noteOf } from '../document/notes.ts'
import type { Wire } from '../document/wires.ts'
import { outputId } from '../document/wires.ts'
import type { Editor } from './document-store.ts'

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

export interface CanvasUi {
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

export interface Canvas {
  editor: Editor
  catalogue: Catalogue
  ui: StoreApi<CanvasUi>
  /** Places of cards that the document says nothing of. Not in the document until something is moved. */
  auto: Map<string, Point>
  flow: ReactFlowInstance | undefined
  root: HTMLElement | undefined
  /** Told of each step of panning and zooming: see `useView`. */
  onView: (() => void) | undefined
  /** Whether the pointer was used last on it, and not the keyboard to go from card to card: Tab adds a node then. */
  isPointing: boolean
}

export function createCanvas(editor: Editor, catalogue: Catalogue): Canvas {
  const ui = createStore<CanvasUi>(() => ({
    palette: undefined,
    menu: undefined,
    picker: undefined,
    selectedWires: [],
    isSnapping: true,
    hasMinimap: true,
    announcement: '',
  }))
  return {
    editor,
    catalogue,
    ui,
    auto: new Map(),
    flow: undefined,
    root: undefined,
    onView: undefined,
    isPointing: false,
  }
}

/** Where every card stands. The output card stands beside what it shows, unless the document has a place for it. */
export function placesOn({ editor, catalogue, auto }: Canvas): Map<string, Point> {
  const { document } = editor.getState()
  const ids = Object.keys(document.nodes)
  if (ids.length === 0) return new Map()
  const all = new Map([...auto].filter(([id]) => Object.hasOwn(document.nodes, id)))
  for (const [id, place] of placesOf(document)) all.set(id, place)
  if (ids.every((id) => all.has(id)) && all.has(outputId)) return all
  const completed = placeOthers(document, catalogue, all)
  for (const id of ids) {
    const place = all.has(id) ? undefined : completed.get(id)
    if (place !== undefined) auto.set(id, place)
  }
  return completed
}

/** This card and nothing else, no wire either: what is deleted next is what one sees to be selected. */
export function selectOnly({ editor, ui }: Canvas, id: string): void {
  editor.getState().select([id])
  if (ui.getState().selectedWires.length > 0) ui.setState({ selectedWires: [] })
}

/** Where these cards stand, and how large they are. */
export function boxesOn(canvas: Canvas, ids: readonly string[]): Map<string, Box> {
  const places = placesOn(canvas)
  const { document } = canvas.editor.getState()
  return new Map(
    ids.flatMap((id): [string, Box][] => {
      const note = noteOf(document, id)
      if (note !== undefined) return [[id, { ...note.at, ...note.size }]]
      const place = places.get(id)
      if (place === undefined) return []
      const measured = canvas.flow?.getInternalNode(id)?.measured
      const size = cardSize(document, id, canvas.catalogue)
      return [[id, { ...place, width: measured?.width ?? size.width, height: measured?.height ?? size.height }]]
    }),
  )
}

export const CanvasContext = createContext<Canvas | undefined>(undefined)

export function useCanvas(): Canvas {
  const canvas = useContext(CanvasContext)
  if (canvas === undefined) throw new Error('There is no canvas around this component.')
  return canvas
}

export function useCanvasUi<Part>(select: (ui: CanvasUi) => Part): Part {
  return useStore(useCanvas().ui, select)
}
