import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { draftChanged, publishDraft } from '../api/drafts.ts'
import { useEditorStore } from '../document/editor-context.tsx'
import { useOpenWorkflow } from './workflow-context.tsx'

/** The draft becomes the next version. */
export function PublishDialog({ onClose }: { onClose(): void }) {
  const { workflowId, workflow, autosave } = useOpenWorkflow()
  const editor = useEditorStore()
  const queryClient = useQueryClient()
  const [note, setNote] = useState('')
  const publishing = useMutation({
    async mutationFn() {
      await autosave.ensure()
      const { document } = editor.getState()
      const published = await publishDraft(workflowId, note.trim() === '' ? {} : { note: note.trim() })
      autosave.accept(document, undefined)
      return published
    },
    async onSuccess() {
      notifications.show({
        title: 'Published',
        message: `Version ${(workflow?.version ?? 0) + 1} is what callers run now.`,
      })
      onClose()
      await draftChanged(queryClient, workflowId)
    },
  })
  return (
    <Modal opened onClose={onClose} title={`Publish version ${(workflow?.version ?? 0) + 1}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          publishing.mutate()
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            Callers of this workflow run the new version from now on. Versions before stay as they are.
          </Text>
          <Textarea
            label="What has changed"
            description="For the list of versions; may be left empty."
            autosize
            minRows={2}
            data-autofocus
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          {publishing.error === null ? null : (
            <Alert color="red" title="It was not published">
              {publishing.error.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={publishing.isPending}>
              Publish
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
