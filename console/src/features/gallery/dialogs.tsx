import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { deleteDraft, invalidateDraft } from '../../api/drafts.ts'
import { createProject, projectsQuery } from '../../api/projects.ts'
import { deleteWorkflow } from '../../api/workflows.ts'
import { keepFocus } from '../../ui/focus-on-page.ts'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import type { Entry } from './entries.ts'

export function DeleteDialog({ entry, onClose }: { entry: Entry; onClose(): void }) {
  useReturnFocus()
  const queryClient = useQueryClient()
  const deleting = useMutation({
    mutationFn: ({ workflowId, draft }: Entry) =>
      draft === 'new' ? deleteDraft(workflowId) : deleteWorkflow(workflowId),
    async onSuccess(_, { workflowId, name }) {
      onClose()
      notifications.show({ message: `${name} was deleted.` })
      await invalidateDraft(queryClient, workflowId)
      keepFocus()
    },
  })
  const close = () => {
    deleting.reset()
    onClose()
  }
  return (
    <Modal opened onClose={close} title={`Delete ${entry.name}?`} centered>
      <Text size="sm">
        {entry.draft === 'new'
          ? 'This draft was never published. You can’t restore it.'
          : 'This deletes all versions and the draft. API calls with this workflow will fail.'}{' '}
        Executions and their images are kept.
      </Text>
      {deleting.error && (
        <Text size="sm" c="red" mt="sm" role="alert">
          {deleting.error.message}
        </Text>
      )}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={deleting.isPending} onClick={() => deleting.mutate(entry)}>
          Delete
        </Button>
      </Group>
    </Modal>
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
