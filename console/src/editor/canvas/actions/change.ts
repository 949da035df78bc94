/** Changes wires, and deletes and duplicates nodes. */

import { operationOf } from '../../../api/operations.ts'
import { connect, disconnect, duplicateNodes, moveWire, removeNodes } from '../../document/edits.ts'
import { addNote, isNote, noteOf } from '../../document/notes.ts'
import { freeSocket, outputId, outputWords, sourceText, type Wire, wireProblem, wiresOf } from '../../document/wires.ts'
import { cardBoxes } from '../../state/canvas.ts'
import type { Editor } from '../../state/editor.ts'
import { wireId } from '../flow.ts'
import { isMany } from './add.ts'
import { announce, announceError } from './announce.ts'
import { focusCard, reveal } from './focus.ts'
import { writeAutoPositions } from './move.ts'

/** Shows the reason if the wire is not possible. */
export function connectWire(editor: Editor, wire: Wire): boolean {
  const { catalogue } = editor
  const { document, change } = editor.document.getState()
  const reason = wireProblem(document, catalogue, wire)
  if (reason !== undefined) {
    announceError(editor, reason)
    return false
  }
  const goal = wire.target === outputId ? outputWords(wire.socket) : wire.target
  const source = sourceText(wire)
  change(`Connect ${source} to ${goal}`, (draft) => connect(draft, wire, isMany(editor, draft, wire)))
  announce(editor, `Connected ${source} to ${goal}.`)
  return true
}

/** Moves one end of a wire to another card or socket. */
export function reconnectWire(editor: Editor, from: Wire, to: Wire): void {
  const { catalogue } = editor
  if (sourceText(from) === sourceText(to) && from.target === to.target && from.socket === to.socket) return
  const { document, change } = editor.document.getState()
  const reason = wireProblem(document, catalogue, to)
  if (reason !== undefined) {
    announceError(editor, reason)
    return
  }
  change('Move a wire', (draft) => {
    if (from.target === to.target && from.socket === to.socket) {
      moveWire(draft, from, sourceText(to))
      return
    }
    disconnect(draft, from)
    connect(draft, to, isMany(editor, draft, to))
  })
}

export function disconnectWires(editor: Editor, wires: readonly Wire[]): void {
  if (wires.length === 0) return
  const label = wires.length === 1 ? 'Disconnect' : `Disconnect ${wires.length} wires`
  editor.document.getState().change(label, (document) => {
    // The last index first, because the other indexes of a list move up.
    for (const wire of wires.toSorted((a, b) => (b.index ?? 0) - (a.index ?? 0))) disconnect(document, wire)
  })
  announce(editor, wires.length === 1 ? 'Wire removed.' : `${wires.length} wires removed.`)
}

/** Deletes the selected nodes and wires. With `bridge`, the nodes before and after them are connected. */
export function removeSelection(editor: Editor, bridge = true): void {
  const { catalogue } = editor
  const { selection, document, change } = editor.document.getState()
  const nodes = selection.filter((id) => id !== outputId)
  const selectedWires = new Set(editor.canvas.getState().selectedWires)
  const wires = wiresOf(document).filter((wire) => selectedWires.has(wireId(wire)))
  editor.canvas.setState({ selectedWires: [] })
  if (nodes.length === 0) {
    if (wires.length === 0 && selection.includes(outputId)) announceError(editor, 'The output can’t be deleted.')
    disconnectWires(editor, wires)
    return
  }
  const hadFocus = editor.view.element?.contains(window.document.activeElement) ?? false
  const next = readerOf(editor, nodes)
  const noun = wordsFor(nodes)
  change(`Delete ${noun}`, (draft) => {
    for (const wire of wires.toSorted((a, b) => (b.index ?? 0) - (a.index ?? 0))) disconnect(draft, wire)
    removeNodes(draft, nodes, { bridge, catalogue })
  })
  announce(editor, `Deleted ${noun}.`)
  // Immediately, so that a key pressed next finds the focus where it stays.
  if (hadFocus && next !== undefined) focusCard(editor, next)
}

/** Describes nodes and notes. */
function wordsFor(ids: readonly string[]): string {
  const [only = ''] = ids
  if (ids.length === 1) return isNote(only) ? 'a note' : only
  return `${ids.length} ${ids.every(isNote) ? 'notes' : ids.some(isNote) ? 'items' : 'nodes'}`
}

function readerOf(editor: Editor, removed: readonly string[]): string | undefined {
  const wires = wiresOf(editor.document.getState().document)
  const touching = wires.filter(({ source, target }) => removed.includes(source) !== removed.includes(target))
  const [wire] = touching
  return wire === undefined ? undefined : removed.includes(wire.source) ? wire.target : wire.source
}

const copyOffset = 32

export function duplicateSelection(editor: Editor): void {
  const { selection, change, select } = editor.document.getState()
  const nodes = selection.filter((id) => id !== outputId)
  if (nodes.length === 0) return
  const moved = [...cardBoxes(editor, nodes)].map(
    ([id, { x, y }]) => [id, { x: x + copyOffset, y: y + copyOffset }] as const,
  )
  let copies: string[] = []
  change(`Duplicate ${wordsFor(nodes)}`, (document) => {
    writeAutoPositions(editor, document)
    const notes = moved.flatMap(([id, at]) => {
      const note = noteOf(document, id)
      return note === undefined ? [] : addNote(document, { ...note, at })
    })
    copies = [...duplicateNodes(document, nodes, new Map(moved)).values(), ...notes]
  })
  select(copies)
  if (copies[0] !== undefined) reveal(editor, copies[0])
}

/** Connects two nodes, at the socket that fits best. */
export function connectNodes(editor: Editor, source: string, target: string): boolean {
  const { document } = editor.document.getState()
  const socket = freeSocket(document, editor.catalogue, target)
  if (socket !== undefined) return connectWire(editor, { source, target, socket })
  const sockets = operationOf(editor.catalogue, document.nodes[target])?.inputs ?? []
  const [first] = sockets
  if (first === undefined) {
    announceError(editor, `${target} doesn’t accept an image.`)
    return false
  }
  return connectWire(editor, { source, target, socket: first.name })
}
