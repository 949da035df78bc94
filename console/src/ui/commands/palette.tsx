import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Activity, Search, Workflow } from 'lucide-react'
import { useEffect, useState } from 'react'
import { workflowSearchQuery } from '../../api/search.ts'
import { type Command, useAllCommands } from './commands.ts'
import { takeHeldKeys } from './held-keys.ts'
import { Shortcut } from './shortcut.tsx'

/** The element with the focus before the palette opened. */
let focusedBefore: Element | null = null

/**
 * Returns the focus immediately. Spotlight would return it some time later, and take it from the element that a command has
 * focused in the meantime.
 */
function restoreFocus(): void {
  const from = focusedBefore
  focusedBefore = null
  if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true })
}

const executionId = /^exec_[0-9a-z]{20,}$/

/** Finds commands, pages and workflows by name, and an execution by its id. */
export function Palette({ times }: { times: number }) {
  const [query, setQuery] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number opens it again
  useEffect(() => {
    focusedBefore = document.activeElement
    spotlight.open()
  }, [times])
  const [settled] = useDebouncedValue(query.trim(), 200)
  const commands = useAllCommands().filter(({ isHidden, isEnabled }) => !isHidden && (isEnabled?.() ?? true))
  const found = useQuery({ ...workflowSearchQuery(settled), enabled: settled.length > 0 })
  const navigate = useNavigate()
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = commands.filter(
    (command) => !(command.isFound && words.length === 0) && words.every((word) => textOf(command).includes(word)),
  )
  const groups: SpotlightActionGroupData[] = Object.entries(Object.groupBy(fitting, ({ group }) => group)).map(
    ([group, members = []]) => ({ group, actions: members.map(actionOf) }),
  )
  const workflows = found.data ?? []
  // Results of the API arrive after Spotlight has selected its first entry.
  const isAlone = fitting.length === 0 && workflows.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: other results have another first entry
  useEffect(() => {
    if (isAlone) document.querySelector('.mantine-Spotlight-action')?.setAttribute('data-selected', 'true')
  }, [isAlone, found.data])
  if (workflows.length > 0) {
    const actions = workflows.map(({ id, name }) => ({
      id,
      label: name,
      leftSection: <Workflow size={18} aria-hidden />,
      onClick: () => void navigate({ to: '/workflows/$workflowId', params: { workflowId: id } }),
    }))
    groups.push({ group: 'Workflows', actions })
  }
  if (executionId.test(query.trim())) {
    const id = query.trim()
    const open = () => void navigate({ to: '/executions/$executionId', params: { executionId: id } })
    const leftSection = <Activity size={18} aria-hidden />
    groups.push({ group: 'Executions', actions: [{ id, label: `Open ${id}`, leftSection, onClick: open }] })
  }
  return (
    <Spotlight
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      returnFocus={false}
      onSpotlightClose={restoreFocus}
      filter={(_query, actions) => actions}
      shortcut={null}
      scrollable
      maxHeight={460}
      attributes={{ content: { 'aria-label': 'Find anything' } }}
      nothingFound="No results."
      searchProps={{
        leftSection: <Search size={18} aria-hidden />,
        placeholder: 'Find an action, a page, a workflow …',
        'aria-label': 'Find an action, a page, a workflow or an execution',
        onFocus: () => setQuery((typed) => typed + takeHeldKeys()),
      }}
    />
  )
}

function actionOf({ id, title, shortcuts = [], run }: Command): SpotlightActionData {
  const [first] = shortcuts
  const onClick = () => {
    restoreFocus()
    run()
  }
  return { id, label: title, onClick, rightSection: first === undefined ? null : <Shortcut shortcut={first} /> }
}

function textOf({ title, group, keywords = [] }: Command): string {
  return [title, group, ...keywords].join(' ').toLowerCase()
}
