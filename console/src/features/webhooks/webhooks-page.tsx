import { Button, Skeleton, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '../../api/client.ts'
import {
  deleteEndpoint,
  endpointsQuery,
  replaceEndpoint,
  settingsOf,
  testEndpoint,
  type WebhookEndpoint,
} from '../../api/webhooks.ts'
import { useCommands } from '../../ui/commands/commands.ts'
import { ConfirmModal } from '../../ui/confirm-modal.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Page } from '../../ui/page.tsx'
import { tableClasses as classes } from '../../ui/table-classes.ts'
import { Deliveries } from './deliveries.tsx'
import { DeliveryModal } from './delivery-modal.tsx'
import { EndpointModal } from './endpoint-modal.tsx'
import { EndpointRow } from './endpoint-row.tsx'
import type { WebhooksSearch } from './search.ts'
import { SecretModal } from './secret-modal.tsx'

type OpenDialog = { kind: 'new' } | { kind: 'edit' | 'secret' | 'delete'; endpoint: WebhookEndpoint }

const route = getRouteApi('/shell/webhooks')

/** The webhook endpoints of the account and the log of their deliveries. */
export function WebhooksPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const onSearch = (next: WebhooksSearch) => void navigate({ search: next })
  const [dialog, setDialog] = useState<OpenDialog>()
  const { data: endpoints, error } = useQuery(endpointsQuery)
  const queryClient = useQueryClient()
  const reload = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] })
  const close = () => setDialog(undefined)
  const done = () => {
    close()
    void reload()
  }
  const openNew = () => setDialog({ kind: 'new' })
  useCommands([
    { id: 'webhooks.new', title: 'New webhook endpoint', group: 'Webhooks', shortcuts: ['N'], run: openNew },
  ])
  const report = (problem: Error) => notifications.show({ color: 'red', message: problem.message })
  const testing = useMutation({
    mutationFn: testEndpoint,
    onSuccess: ({ id }) => {
      void reload()
      onSearch({ ...search, delivery: id })
    },
    onError: report,
  })
  const switching = useMutation({
    mutationFn: (endpoint: WebhookEndpoint) =>
      replaceEndpoint(endpoint.id, { ...settingsOf(endpoint), disabled: !endpoint.disabled }),
    onSuccess: reload,
    onError: report,
  })

  if (error instanceof ApiError && error.code === 'forbidden')
    return (
      <Page title="Webhooks">
        <Text c="dimmed">
          The key of this session can’t read webhooks. Sign in with a key that has the permission webhooks:read.
        </Text>
      </Page>
    )
  return (
    <Page
      title="Webhooks"
      docs="webhooks"
      actions={
        <Button leftSection={<Plus size={16} />} onClick={openNew}>
          New endpoint
        </Button>
      }
    >
      <Stack gap="xl">
        <ErrorText error={error} />
        {endpoints === undefined && !error && <Skeleton h={120} />}
        {endpoints?.length === 0 && (
          <Text c="dimmed">No endpoints. Create one to get the events of this account at a URL of yours.</Text>
        )}
        {endpoints !== undefined && endpoints.length > 0 && (
          <Table className={classes.table ?? ''} verticalSpacing="sm" aria-label="Webhook endpoints">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>URL</Table.Th>
                <Table.Th>Events</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Created</Table.Th>
                <Table.Th w={56}>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {endpoints.map((endpoint) => (
                <EndpointRow
                  key={endpoint.id}
                  endpoint={endpoint}
                  onTest={() => testing.mutate(endpoint.id)}
                  onEdit={() => setDialog({ kind: 'edit', endpoint })}
                  onSecret={() => setDialog({ kind: 'secret', endpoint })}
                  onSwitch={() => switching.mutate(endpoint)}
                  onDelete={() => setDialog({ kind: 'delete', endpoint })}
                />
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Deliveries endpoints={endpoints ?? []} search={search} onSearch={onSearch} />
      </Stack>
      {dialog?.kind === 'new' && (
        <EndpointModal
          onClose={close}
          onSaved={(endpoint) => {
            void reload()
            setDialog({ kind: 'secret', endpoint })
          }}
        />
      )}
      {dialog?.kind === 'edit' && <EndpointModal endpoint={dialog.endpoint} onClose={close} onSaved={done} />}
      {dialog?.kind === 'secret' && <SecretModal endpoint={dialog.endpoint} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteModal endpoint={dialog.endpoint} onClose={close} onDeleted={done} />}
      {search.delivery !== undefined && (
        <DeliveryModal
          deliveryId={search.delivery}
          onClose={() => {
            const { delivery: _, ...rest } = search
            onSearch(rest)
          }}
        />
      )}
    </Page>
  )
}

interface Props {
  endpoint: WebhookEndpoint
  onClose(): void
  onDeleted(): void
}

function DeleteModal({ endpoint, onClose, onDeleted }: Props) {
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
