import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FolderPlus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { createProject, projectsQuery } from '../../api/projects.ts'
import { useReturnFocus } from '../../ui/use-return-focus.ts'

interface ProjectPickerProps {
  /** Undefined for all projects. */
  projectId: string | undefined
  onChange(projectId: string | undefined): void
}

/** Selects the project, or creates one. */
export function ProjectPicker({ projectId, onChange }: ProjectPickerProps) {
  const { data: projects = [] } = useQuery(projectsQuery)
  const [isOpen, modal] = useDisclosure()
  return (
    <Group gap={6}>
      <Select
        aria-label="Project"
        placeholder="All projects"
        data={projects.map(({ id, name }) => ({ value: id, label: name }))}
        value={projectId ?? null}
        onChange={(value) => onChange(value ?? undefined)}
        clearable
        searchable
        w={200}
      />
      <Button variant="default" leftSection={<FolderPlus size={16} />} onClick={modal.open}>
        New project
      </Button>
      {isOpen && (
        <NewProject
          onClose={modal.close}
          onCreated={(id) => {
            modal.close()
            onChange(id)
          }}
        />
      )}
    </Group>
  )
}

function NewProject({ onClose, onCreated }: { onClose(): void; onCreated(projectId: string): void }) {
  useReturnFocus()
  const [name, setName] = useState('')
  const queryClient = useQueryClient()
  const creating = useMutation({
    mutationFn: () => createProject(name.trim()),
    async onSuccess({ id }) {
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
      onCreated(id)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate()
  }
  return (
    <Modal opened onClose={onClose} title="New project">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={creating.error?.message}
            data-autofocus
          />
          <Button type="submit" loading={creating.isPending} disabled={name.trim() === ''}>
            Create
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
