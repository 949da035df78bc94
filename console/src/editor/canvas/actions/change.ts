/** Wires, and nodes that go or come again. */

import { connect, disconnect, duplicateNodes, moveWire, removeNodes } from '../../document/edits.ts'
import { addNote, isNote, noteOf } from '../../document/notes.ts'
import { freeSocket, outputId, type Wire, whyNot, wiresOf } from '../../document/wires.ts'
import { boxesOn, type Canvas } from '../../state/canvas-model.ts'
import { wireId } from '../flow.ts'
import { isMany } from './add.ts'
import { focusCard, reveal } from './focus.ts'
import { settlePlaces } from './move.ts'
import { refuse, say } from './say.ts'

/** Refused in words where it cannot be. */
export function connectWire(canvas: Canvas, wire: Wire): boolean {
  const { editor, catalogue } = canvas
  const { document, change } = editor.getState()
  const reason = whyNot(document, catalogue, wire)
  if (reason !== undefined) {
    refuse(canvas, reason)
    return false
  }
  const goal = wire.target === outputId ? 'the output' : wire.target
  change(`Connect ${wire.source} to ${goal}`, (draft) => connect(draft, wire, isMany(canvas, draft, wire)))
  say(canvas, `Connected ${wire.source} to ${goal}.`)
  return true
}

/** A wire that was taken at one end and put elsewhere. */
export function reconnectWire(canvas: Canvas, from: Wire, to: Wire): void {
  const { editor, catalogue } = canvas
  if (from.source === to.source && from.target === to.target && from.socket === to.socket) return
  const { document, change } = editor.getState()
  const reason = whyNot(document, catalogue, to)
  if (reason !== undefined) {
    refuse(canvas, reason)
    return
  }
  change('Move a wire', (draft) => {
    if (from.target === to.target && from.socket === to.socket) {
      moveWire(draft, from, to.source)
      return
    }
    disconnect(draft, from)
    connect(draft, to, isMany(canvas, draft, to))
  })
}

export function disconnectWires(canvas: Canvas, wires: readonly Wire[]): void {
  if (wires.length === 0) return
  const label = wires.length === 1 ? 'Disconnect' : `Disconnect ${wires.length} wires`
  canvas.editor.getState().change(label, (document) => {
    // The last ones first: places in a list move up.
    for (const wire of wires.toSorted((a, b) => (b.index ?? 0) - (a.index ?? 0))) disconnect(document, wire)
  })
  say(canvas, wires.length === 1 ? 'Wire removed.' : `${wires.length} wires removed.`)
}

/** What is selected: nodes (the flow goes on around them where `bridge`), and wires. */
export function removeSelection(canvas: Canvas, bridge = true): void {
  const { editor, catalogue, ui } = canvas
  const { selection, document, change } = editor.getState()
  const nodes = selection.filter((id) => id !== outputId)
  const chosen = new Set(ui.getState().selectedWires)
  const wires = wiresOf(document).filter((wire) => chosen.has(wireId(wire)))
  ui.setState({ selectedWires: [] })
  if (nodes.length === 0) {
    if (wires.length === 0 && selection.includes(outputId)) refuse(canvas, 'The output cannot be removed.')
    disconnectWires(canvas, wires)
    return
  }
  const hadFocus = canvas.root?.contains(window.document.activeElement) ?? false
  const next = readerOf(canvas, nodes)
  const what = wordsFor(nodes)
  change(`Delete ${what}`, (draft) => {
    for (const wire of wires.toSorted((a, b) => (b.index ?? 0) - (a.index ?? 0))) disconnect(draft, wire)
    removeNodes(draft, nodes, { bridge, catalogue })
  })
  say(canvas, `Deleted ${what}.`)
  if (hadFocus && next !== undefined) requestAnimationFrame(() => focusCard(canvas, next))
}

/** Of nodes and notes. */
function wordsFor(ids: readonly string[]): string {
  const [only = ''] = ids
  if (ids.length === 1) return isNote(only) ? 'a note' : only
  return `${ids.length} ${ids.every(isNote) ? 'notes' : ids.some(isNote) ? 'cards' : 'nodes'}`
}

function readerOf({ editor }: Canvas, gone: readonly string[]): string | undefined {
  const wires = wiresOf(editor.getState().document)
  const touching = wires.filter(({ source, target }) => gone.includes(source) !== gone.includes(target))
  const [wire] = touching
  return wire === undefined ? undefined : gone.includes(wire.source) ? wire.target : wire.source
}

const copyOffset = 32

export function duplicateSelection(canvas: Canvas): void {
  const { editor } = canvas
  const { selection, change, select } = editor.getState()
  const nodes = selection.filter((id) => id !== outputId)
  if (nodes.length === 0) return
  const moved = [...boxesOn(canvas, nodes)].map(
    ([id, { x, y }]) => [id, { x: x + copyOffset, y: y + copyOffset }] as const,
  )
  let copies: string[] = []
  change(`Duplicate ${wordsFor(nodes)}`, (document) => {
    settlePlaces(canvas, document)
    const notes = moved.flatMap(([id, at]) => {
      const note = noteOf(document, id)
      return note === undefined ? [] : addNote(document, { ...note, at })
    })
    copies = [...duplicateNodes(document, nodes, new Map(moved)).values(), ...notes]
  })
  select(copies)
  if (copies[0] !== undefined) reveal(canvas, copies[0])
}

/** Straight to where the image of `source` fits in `target`. */
export function connectNodes(canvas: Canvas, source: string, target: string): boolean {
  const { document } = canvas.editor.getState()
  const socket = freeSocket(document, canvas.catalogue, target)
  if (socket !== undefined) return connectWire(canvas, { source, target, socket })
  const sockets = canvas.catalogue.get(document.nodes[target]?.type ?? '')?.inputs ?? []
  const [first] = sockets
  if (first === undefined) {
    refuse(canvas, `${target} takes no image.`)
    return false
  }
  return connectWire(canvas, { source, target, socket: first.name })
}
