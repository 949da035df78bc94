import { Group, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useWorkflowSearch } from '../../api/workflow-names.ts'
import { type ExecutionsSearch, type Range, statuses } from './search.ts'

interface Props {
  search: ExecutionsSearch
  names: ReadonlyMap<string, string>
  onChange(change: { [Name in keyof ExecutionsSearch]?: ExecutionsSearch[Name] | undefined }): void
}

const searchPauseMs = 200
const statusNames = { pending: 'Waiting', running: 'Running', completed: 'Completed', failed: 'Failed' } as const
const rangeNames: Record<Range, string> = {
  hour: 'Last hour',
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
}

/** The filters of the list. They are part of the URL. */
export function Filters({ search, names, onChange }: Props) {
  const { workflowId } = search
  const [typed, setTyped] = useState('')
  const [searched] = useDebouncedValue(typed, searchPauseMs)
  const found = useWorkflowSearch(searched)
  const all = new Map([...names, ...found])
  if (workflowId !== undefined && !all.has(workflowId)) all.set(workflowId, workflowId)
  const workflows = [...all].map(([value, label]) => ({ value, label }))
  workflows.sort((a, b) => a.label.localeCompare(b.label))
  return (
    <Group mb="lg" gap="sm">
      <Select
        aria-label="Workflow"
        placeholder="All workflows"
        searchable
        searchValue={typed}
        onSearchChange={setTyped}
        clearable
        nothingFoundMessage="No workflow with this name"
        data={workflows}
        value={workflowId ?? null}
        onChange={(value) => onChange({ workflowId: value ?? undefined })}
        clearButtonProps={{ 'aria-label': 'All workflows' }}
        flex={{ base: '1 0 100%', xs: '0 1 240px' }}
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        clearable
        data={statuses.map((value) => ({ value, label: statusNames[value] }))}
        value={search.status ?? null}
        onChange={(value) => onChange({ status: statuses.find((status) => status === value) })}
        clearButtonProps={{ 'aria-label': 'Any status' }}
        flex={{ base: 1, xs: '0 1 150px' }}
      />
      <Select
        aria-label="Time"
        placeholder="Any time"
        clearable
        data={Object.entries(rangeNames).map(([value, label]) => ({ value, label }))}
        value={search.range ?? null}
        onChange={(value) => onChange({ range: (value ?? undefined) as Range | undefined })}
        clearButtonProps={{ 'aria-label': 'Any time' }}
        flex={{ base: 1, xs: '0 1 150px' }}
      />
    </Group>
  )
}
