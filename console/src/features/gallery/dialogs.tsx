import { Button, Group, Modal, Radio, Select, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { deleteDraft, invalidateDraft } from '../../api/drafts.ts'
import { createProject, deleteProject, projectsQuery } from '../../api/projects.ts'
import type { Project } from '../../api/types.ts'
import { deleteWorkflow } from '../../api/workflows.ts'
import { ConfirmModal } from '../../ui/confirm-modal.tsx'
import { keepFocus } from '../../ui/focus-on-page.ts'
import { counted } from '../../ui/format.ts'
import type { Entry } from './entries.ts'

export function DeleteDialog({ entry, onClose }: { entry: Entry; onClose(): void }) {
  const { workflowId, name, draft } = entry
  const queryClient = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => (draft === 'new' ? deleteDraft(workflowId) : deleteWorkflow(workflowId)),
    async onSuccess() {
      onClose()
      notifications.show({ message: `${name} was deleted.` })
      await invalidateDraft(queryClient, workflowId)
      keepFocus()
    },
  })
  return (
    <ConfirmModal title={`Delete ${name}?`} action="Delete" confirming={deleting} onClose={onClose}>
      {draft === 'new'
        ? 'This draft was never published. You can’t restore it.'
        : 'This deletes all versions and the draft. API calls with this workflow will fail.'}{' '}
      Executions and their images are kept.
    </ConfirmModal>
  )
}

export function ProjectDialog({
  isOpen,
  onClose,
  onCreated,
}: {
  isOpen: boolean
  onClose(): void
  onCreated(id: string): void
}) {
  const [name, setName] = useState('')
  const queryClient = useQueryClient()
  const creating = useMutation({
    mutationFn: () => createProject(name.trim()),
    async onSuccess({ id }) {
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
      setName('')
      onClose()
      onCreated(id)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate()
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title="New project" centered>
      <form onSubmit={submit}>
        <TextInput
          label="Name"
          description="Workflows and images are grouped by project."
          data-autofocus
          required
          maxLength={255}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={creating.error?.message}
        />
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={creating.isPending} disabled={name.trim() === ''}>
            Create
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

export function DeleteProjectDialog({
  project: { id, name },
  projects,
  onClose,
  onDeleted,
}: {
  project: Project
  projects: readonly Project[]
  onClose(): void
  onDeleted(): void
}) {
  const others = projects.filter((project) => project.id !== id)
  const [contents, setContents] = useState('move')
  const [moveTo, setMoveTo] = useState(others.at(-1)?.id)
  const queryClient = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => deleteProject(id, contents === 'move' ? moveTo : undefined),
    async onSuccess({ images, workflows }) {
      onClose()
      onDeleted()
      const what = `${counted(images, 'image')} and ${counted(workflows, 'workflow')}`
      notifications.show({ message: `${name} was deleted. ${what} were ${contents === 'move' ? 'moved' : 'deleted'}.` })
      await queryClient.invalidateQueries()
      keepFocus()
    },
  })
  return (
    <ConfirmModal title={`Delete ${name}?`} action="Delete" confirming={deleting} onClose={onClose}>
      <Stack gap="sm">
        <Radio.Group label="Images and workflows of the project" value={contents} onChange={setContents}>
          <Stack gap="xs" mt="xs">
            <Radio value="move" label="Move to another project" disabled={others.length === 0} />
            <Radio value="delete" label="Delete. You can’t restore them" />
          </Stack>
        </Radio.Group>
        {contents === 'move' && (
          <Select
            label="Move to"
            allowDeselect={false}
            data={others.map((project) => ({ value: project.id, label: project.name }))}
            value={moveTo ?? null}
            onChange={(value) => setMoveTo(value ?? undefined)}
          />
        )}
      </Stack>
    </ConfirmModal>
  )
}
