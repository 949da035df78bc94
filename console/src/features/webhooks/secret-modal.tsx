import { Button, CopyButton, Group, Modal, NativeSelect, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { endpointSecret, rotateEndpointSecret, type WebhookEndpoint } from '../../api/webhooks.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'

const overlaps = [
  { value: '0', label: 'Stops signing immediately' },
  { value: '3600', label: 'Signs for 1 hour, too' },
  { value: '86400', label: 'Signs for 1 day, too' },
  { value: '604800', label: 'Signs for 1 week, too' },
]

/** The secret that verifies the signatures, and its rotation. */
export function SecretModal({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  useReturnFocus()
  const [overlap, setOverlap] = useState('86400')
  const client = useQueryClient()
  const queryKey = ['webhooks', 'secret', endpoint.id]
  const stored = useQuery({
    queryKey,
    queryFn: () => endpointSecret(endpoint.id),
    gcTime: 0,
  })
  const rotating = useMutation({
    mutationFn: () => rotateEndpointSecret(endpoint.id, Number(overlap)),
    onSuccess: (rotated) => client.setQueryData(queryKey, rotated),
  })
  const secret = stored.data
  const error = rotating.error ?? stored.error
  return (
    <Modal opened onClose={onClose} title="Secret of the endpoint" size="lg">
      <Stack>
        <Text size="sm">Verify the signature of each request with this secret before you use it.</Text>
        {secret === undefined ? (
          <Skeleton h={60} />
        ) : (
          <TextInput
            label="Secret"
            readOnly
            value={secret.secret}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            data-autofocus
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        )}
        <CopyButton value={secret?.secret ?? ''} timeout={3000}>
          {({ copied, copy }) => (
            <Button onClick={copy} leftSection={copied ? <Check size={16} /> : <Copy size={16} />}>
              {copied ? 'Copied' : 'Copy secret'}
            </Button>
          )}
        </CopyButton>
        <ErrorText error={error} size="sm" />
        {rotating.data && (
          <Text size="sm" role="status">
            The secret was replaced.
          </Text>
        )}
        <Group align="end">
          <NativeSelect
            label="After a rotation, the old secret"
            data={overlaps}
            value={overlap}
            onChange={({ currentTarget }) => setOverlap(currentTarget.value)}
          />
          <Button variant="default" loading={rotating.isPending} onClick={() => rotating.mutate()}>
            Rotate
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
