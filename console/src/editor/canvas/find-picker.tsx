import { Portal } from '@mantine/core'
import { Search } from 'lucide-react'
import { operationOf } from '../../api/operations.ts'
import { notesOf } from '../document/notes.ts'
import { outputId } from '../document/wires.ts'
import type { Editor } from '../state/editor.ts'
import { useEditor } from '../state/editor-context.ts'
import { goToCard } from './actions/focus.ts'
import type { PaletteEntry } from './palette-entries.ts'
import { SearchList } from './search-list.tsx'

/** Finds a card by its name, its operation or its texts. */
export function FindPicker() {
  const editor = useEditor()
  const entries = cardEntries(editor)
  const close = () => {
    editor.canvas.setState({ isFinding: false })
    editor.view.element?.focus({ preventScroll: true })
  }
  return (
    <Portal>
      <SearchList
        label="Find a node"
        placeholder="Search the nodes of this workflow"
        icon={<Search size={18} aria-hidden />}
        purpose={undefined}
        screen={undefined}
        entries={entries}
        sections={entries.length === 0 ? [] : [{ title: '', entries }]}
        recent={[]}
        onChoose={({ id }) => {
          close()
          goToCard(editor, id)
        }}
        onClose={close}
      />
    </Portal>
  )
}

function cardEntries({ document: store, catalogue }: Editor): PaletteEntry[] {
  const { document } = store.getState()
  const nodes = Object.entries(document.nodes).map(([id, node]): PaletteEntry => {
    const operation = operationOf(catalogue, node)
    const title = operation?.title ?? node.type
    const texts = Object.values(node.params ?? {}).filter((value) => typeof value === 'string')
    return {
      id,
      title: id,
      names: [title, node.type],
      summary: [title, ...texts].join(' · '),
      group: operation?.group ?? '',
      operationGroup: operation?.group ?? 'source',
      choice: { type: node.type },
    }
  })
  const notes = [...notesOf(document)].map(
    ([id, { text }]): PaletteEntry => ({
      ...{ id, title: text || 'Empty note', summary: 'Note', group: 'note', operationGroup: 'text' },
      choice: { type: '' },
    }),
  )
  const output: PaletteEntry = {
    ...{ id: outputId, title: 'Output', summary: 'Output of the workflow', group: 'output', operationGroup: 'source' },
    choice: { type: '' },
  }
  return [...nodes, output, ...notes]
}
