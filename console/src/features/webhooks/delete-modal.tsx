import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { deleteEndpoint, type WebhookEndpoint } from '../../api/webhooks.ts'
import { useReturnFocus } from '../../ui/use-return-focus.ts'

interface Props {
  endpoint: WebhookEndpoint
  onClose(): void
  onDeleted(): void
}

export function DeleteModal({ endpoint, onClose, onDeleted }: Props) {
  useReturnFocus()
  const deleting = useMutation({ mutationFn: () => deleteEndpoint(endpoint.id), onSuccess: onDeleted })
  return (
    <Modal opened onClose={onClose} title="Delete the webhook endpoint?">
      <Stack>
        <Text size="sm">{endpoint.url} gets no more events, and its waiting deliveries fail.</Text>
        {deleting.error && (
          <Text size="sm" c="red" role="alert">
            {deleting.error.message}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={deleting.isPending} onClick={() => deleting.mutate()}>
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
