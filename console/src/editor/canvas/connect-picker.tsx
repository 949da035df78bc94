import { Portal } from '@mantine/core'
import { Cable, Unplug } from 'lucide-react'
import { operationOf } from '../../api/operations.ts'
import {
  outputId,
  outputInputs,
  outputNameOf,
  sourcesOfNode,
  sourceText,
  type Wire,
  wireProblem,
  wiresOf,
} from '../document/wires.ts'
import type { Editor } from '../state/editor.ts'
import { useEditor } from '../state/editor-context.ts'
import { connectWire, disconnectWires } from './actions/change.ts'
import { focusCard } from './actions/focus.ts'
import { wireId } from './flow.ts'
import type { PaletteEntry } from './palette-entries.ts'
import { SearchList } from './search-list.tsx'

/** Connects and disconnects a node with the keyboard. */
export function ConnectPicker({ kind, id }: { kind: 'connect' | 'disconnect'; id: string }) {
  const editor = useEditor()
  const { document } = useEditor().document.getState()
  const wires =
    kind === 'connect'
      ? connectable(editor, id)
      : wiresOf(document).filter(({ source, target }) => source === id || target === id)
  const entries = wires.map((wire) => entryOf(editor, wire, kind))
  const close = () => {
    editor.canvas.setState({ picker: undefined })
    focusCard(editor, id)
  }
  const choose = ({ id: wireKey }: PaletteEntry) => {
    const wire = wires.find((candidate) => keyOf(candidate) === wireKey)
    close()
    if (wire === undefined) return
    if (kind === 'connect') connectWire(editor, wire)
    else disconnectWires(editor, [wire])
  }
  return (
    <Portal>
      <SearchList
        label={kind === 'connect' ? `Connect ${id} to` : `Disconnect ${id}`}
        placeholder={kind === 'connect' ? `Connect ${id} to…` : 'Choose a wire'}
        icon={kind === 'connect' ? <Cable size={18} aria-hidden /> : <Unplug size={18} aria-hidden />}
        purpose={undefined}
        screen={undefined}
        entries={entries}
        sections={entries.length === 0 ? [] : [{ title: '', entries }]}
        recent={[]}
        onChoose={choose}
        onClose={close}
      />
    </Portal>
  )
}

/** Free sockets first, then sockets whose image would be replaced. */
function connectable({ document: store, catalogue }: Editor, id: string): Wire[] {
  const { document } = store.getState()
  const goals = Object.entries(document.nodes).flatMap(([target, node]) =>
    (operationOf(catalogue, node)?.inputs ?? []).map(({ name }) => ({ target, socket: name })),
  )
  const connected = new Set(wiresOf(document).map(({ target, socket }) => `${target}.${socket}`))
  const outputs = outputInputs(document).map(({ target, socket }) => ({ target, socket }))
  return sourcesOfNode(document, catalogue, id)
    .flatMap((source) => [...goals, ...outputs].map((goal): Wire => ({ ...source, ...goal })))
    .filter((wire) => wireProblem(document, catalogue, wire) === undefined)
    .toSorted(
      (a, b) => Number(connected.has(`${a.target}.${a.socket}`)) - Number(connected.has(`${b.target}.${b.socket}`)),
    )
}

/** Two outputs of a node can fit the same socket. */
function keyOf(wire: Wire): string {
  return `${wire.output ?? ''}:${wireId(wire)}`
}

function entryOf({ document: store, catalogue }: Editor, wire: Wire, kind: 'connect' | 'disconnect'): PaletteEntry {
  const { document } = store.getState()
  const { output, target, socket } = wire
  const source = sourceText(wire)
  const operation = operationOf(catalogue, document.nodes[target])
  const name = outputNameOf(socket)
  const goal = target !== outputId ? `${target} · ${socket}` : name === undefined ? 'Output' : `Output · ${name}`
  const current =
    target !== outputId
      ? document.nodes[target]?.inputs?.[socket]
      : outputInputs(document).find((entry) => entry.socket === socket)?.input
  const isReplaced = typeof current === 'string'
  const described = operation?.inputs.find(({ name }) => name === socket)?.description ?? 'Output of the workflow'
  return {
    id: keyOf(wire),
    title: kind === 'connect' && output === undefined ? goal : `${source} → ${goal}`,
    summary: kind === 'connect' && isReplaced ? `Replaces ${current}. ${described}` : described,
    group: operation?.title ?? 'output',
    operationGroup: operation?.group ?? 'source',
    choice: { type: '' },
  }
}
