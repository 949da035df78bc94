import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { deleteEndpoint, type WebhookEndpoint } from '../../api/webhooks.ts'
import { ConfirmModal } from '../../ui/confirm-modal.tsx'

interface Props {
  endpoint: WebhookEndpoint
  onClose(): void
  onDeleted(): void
}

export function DeleteModal({ endpoint, onClose, onDeleted }: Props) {
  const deleting = useMutation({ mutationFn: () => deleteEndpoint(endpoint.id), onSuccess: onDeleted })
  return (
    <ConfirmModal title="Delete the webhook endpoint?" action="Delete" confirming={deleting} onClose={onClose}>
      <Text span inherit style={{ overflowWrap: 'anywhere' }}>
        {endpoint.url}
      </Text>{' '}
      gets no more events, and its waiting deliveries fail.
    </ConfirmModal>
  )
}
