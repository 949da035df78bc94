import { Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { type StorageSearch, sortLabels, sourceLabels } from './search.ts'

type Filters = Pick<StorageSearch, 'source' | 'search' | 'sort'>

interface ImageFiltersProps {
  filters: Filters
  onChange(change: { [Name in keyof Filters]?: Filters[Name] | undefined }): void
}

const options = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }))
const typingMs = 300

/** Selects and sorts the images of the list. */
export function ImageFilters({ filters: { source, search = '', sort = 'newest' }, onChange }: ImageFiltersProps) {
  const [text, setText] = useState(search)
  const find = useDebouncedCallback((value: string) => onChange({ search: value || undefined }), typingMs)
  return (
    <Group gap="sm" mb="md">
      <TextInput
        aria-label="Search names"
        placeholder="Search names"
        leftSection={<Search size={16} />}
        maxLength={255}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value)
          find(value)
        }}
        w={240}
      />
      <Select
        aria-label="Source"
        placeholder="Uploads and outputs"
        data={options(sourceLabels)}
        value={source ?? null}
        onChange={(value) => onChange({ source: (value ?? undefined) as Filters['source'] })}
        clearable
        w={190}
      />
      <Select
        aria-label="Sort"
        data={options(sortLabels)}
        value={sort}
        onChange={(value) => onChange({ sort: (value ?? undefined) as Filters['sort'] })}
        allowDeselect={false}
        w={120}
      />
    </Group>
  )
}
