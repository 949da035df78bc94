import { CloseButton, Group, Kbd, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { type RefObject, useState } from 'react'
import type { Project } from '../../api/types.ts'
import type { GallerySearch, Sorting } from './search.ts'

interface Props {
  search: GallerySearch
  projects: readonly Project[]
  searchField: RefObject<HTMLInputElement | null>
  onChange(change: { [Name in keyof GallerySearch]?: string | undefined }): void
  onNewProject(): void
  onDeleteProject(): void
}

const sortings: { value: Sorting; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'updated', label: 'Last changed' },
  { value: 'name', label: 'By name' },
]

/** Values that are not valid project ids. */
const newProject = '+'
const deletedProject = '-'

export function Toolbar({ search, projects, searchField, onChange, onNewProject, onDeleteProject }: Props) {
  const [text, setText] = useState(search.search ?? '')
  const find = useDebouncedCallback((value: string) => onChange({ search: value.trim() || undefined }), 250)
  const type = (value: string) => {
    setText(value)
    find(value)
  }
  return (
    <Group mb="lg" gap="sm">
      <TextInput
        ref={searchField}
        aria-label="Find workflows by name"
        placeholder="Find by name"
        leftSection={<Search size={16} aria-hidden />}
        rightSection={
          text === '' ? <Kbd size="xs">/</Kbd> : <CloseButton size="sm" aria-label="Clear" onClick={() => type('')} />
        }
        value={text}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== 'Escape') return
          if (text === '') currentTarget.blur()
          else type('')
        }}
        flex={{ base: '1 0 100%', xs: '0 1 280px' }}
      />
      <Select
        aria-label="Project"
        placeholder="All projects"
        clearable
        searchable
        data={[
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
          { value: newProject, label: 'New project…' },
          ...(search.project === undefined ? [] : [{ value: deletedProject, label: 'Delete this project…' }]),
        ]}
        value={search.project ?? null}
        onChange={(value) => {
          if (value === newProject) onNewProject()
          else if (value === deletedProject) onDeleteProject()
          else onChange({ project: value ?? undefined })
        }}
        clearButtonProps={{ 'aria-label': 'All projects' }}
        flex={{ base: 1, xs: '0 1 190px' }}
      />
      <Select
        aria-label="Order"
        allowDeselect={false}
        data={sortings}
        value={search.sort ?? 'newest'}
        onChange={(value) => onChange({ sort: value === 'newest' ? undefined : (value ?? undefined) })}
        flex={{ base: 1, xs: '0 1 150px' }}
      />
    </Group>
  )
}
