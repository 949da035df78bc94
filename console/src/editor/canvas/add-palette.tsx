import { Portal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { usableWorkflowsQuery } from '../../api/workflows.ts'
import { counted } from '../../ui/format.ts'
import { outputId } from '../document/wires.ts'
import type { PaletteRequest } from '../state/canvas.ts'
import type { Editor } from '../state/editor.ts'
import { useEditor, usePublishedWorkflow } from '../state/editor-context.ts'
import { addChoice } from './actions/add.ts'
import { entriesFor, type PaletteEntry, sectionsOf, workflowEntries, workflowsShown } from './palette-entries.ts'
import { SearchList } from './search-list.tsx'

/** Ids of the added operations, newest first, until the page is closed. */
const recent: string[] = []
const recentMax = 12

/** The list of operations with a search field: for a new node, and for a node at the end or in the middle of a wire. */
export function AddPalette({ request }: { request: PaletteRequest }) {
  const editor = useEditor()
  const { document } = useEditor().document.getState()
  const workflows = useWorkflowEntries()
  const entries = [...entriesFor(editor.catalogue, document), ...workflows.entries]
  // Read before the list takes the focus: the card gets the focus back if nothing is chosen.
  const [before] = useState(() => window.document.activeElement)
  const close = () => {
    editor.canvas.setState({ palette: undefined })
    editor.view.element?.focus({ preventScroll: true })
  }
  const cancel = () => {
    close()
    // A handle or the picture of the stage keeps the focus itself.
    const owner =
      before?.closest<HTMLElement>('.react-flow__node') ?? before?.closest<HTMLElement>('[data-stage] [tabindex]')
    owner?.focus({ preventScroll: true })
  }
  const choose = (entry: PaletteEntry) => {
    const known = recent.indexOf(entry.id)
    if (known >= 0) recent.splice(known, 1)
    recent.unshift(entry.id)
    recent.length = Math.min(recent.length, recentMax)
    // The new card has the focus once it is drawn. Until then, keys are for the selection, which is the new card.
    close()
    void addChoice(editor, request, entry.choice)
  }
  return (
    <Portal>
      <SearchList
        label="Add a node"
        placeholder="Search operations and workflows"
        icon={<Search size={18} aria-hidden />}
        purpose={purposeOf(editor, request)}
        screen={request.screen}
        entries={entries}
        sections={sectionsOf(entries, recent)}
        recent={recent}
        hint={workflows.hint}
        onSearch={workflows.search}
        onChoose={choose}
        onClose={cancel}
      />
    </Portal>
  )
}

/** The newest workflows, and those whose names contain the longest word that was typed: the list finds the other words in them. */
function useWorkflowEntries() {
  const editor = useEditor()
  const published = usePublishedWorkflow()
  const [typed, setTyped] = useState('')
  const [word] = useDebouncedValue(longestWord(typed), 200)
  const newest = useQuery(usableWorkflowsQuery(''))
  const found = useQuery({ ...usableWorkflowsQuery(word), placeholderData: keepPreviousData })
  const except = new Set([editor.workflowId, ...(published?.usedBy ?? []).map(({ workflowId }) => workflowId)])
  const workflows = [...(found.data?.workflows ?? []), ...(newest.data?.workflows ?? [])]
  const entries = workflowEntries([...new Map(workflows.map((workflow) => [workflow.id, workflow])).values()], except)
  const { total = 0, workflows: shown = [] } = found.data ?? {}
  const hidden = total - (typed === '' ? workflowsShown : shown.length)
  const words = word === '' ? 'type a part of the name' : 'type more of the name'
  return {
    entries,
    hint: hidden > 0 ? `${counted(hidden, 'more workflow')}: ${words}.` : undefined,
    search: setTyped,
  }
}

function longestWord(text: string): string {
  return text.split(/\s+/).reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}

function purposeOf(editor: Editor, { from, to, wire }: PaletteRequest): string | undefined {
  if (from !== undefined) return `Add after ${from}`
  if (to !== undefined) return to.target === outputId ? 'Add before the output' : `Add for ${to.socket} of ${to.target}`
  if (wire === undefined) return undefined
  const isOutput = wire.target === outputId
  return Object.hasOwn(editor.document.getState().document.nodes, wire.source)
    ? `Insert between ${wire.source} and ${isOutput ? 'the output' : wire.target}`
    : undefined
}
