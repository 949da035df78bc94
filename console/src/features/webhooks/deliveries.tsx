import { Badge, Group, NativeSelect, Stack, Table, Text, Title, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type DeliveryStatus, deliveriesQuery, type WebhookEndpoint } from '../../api/webhooks.ts'
import { withCursor } from '../../ui/cursors.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { NewerOlder } from '../../ui/newer-older.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { tableClasses as classes } from '../../ui/table-classes.ts'
import { statuses, type WebhooksSearch } from './search.ts'

const labels: Record<DeliveryStatus, string> = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' }
const colors: Record<DeliveryStatus, string> = { pending: 'gray', delivered: 'teal', failed: 'red' }

export function StatusBadge({ status }: { status: DeliveryStatus }) {
  return (
    <Badge color={colors[status]} variant="light" tt="none" miw="max-content">
      {labels[status]}
    </Badge>
  )
}

interface Props {
  endpoints: readonly WebhookEndpoint[]
  search: WebhooksSearch
  onSearch(search: WebhooksSearch): void
}

/** The log of deliveries, with its filters. */
export function Deliveries({ endpoints, search, onSearch }: Props) {
  const { endpoint, status, cursor } = search
  const { data, error } = useQuery(deliveriesQuery({ endpointId: endpoint, status }, cursor))
  const select = (change: { endpoint?: string | undefined; status?: DeliveryStatus | undefined }) => {
    const { endpoint: id, status: chosen } = { endpoint, status, ...change }
    onSearch({ ...(id ? { endpoint: id } : {}), ...(chosen ? { status: chosen } : {}) })
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="end">
        <Title order={2} size="h3">
          Deliveries
        </Title>
        <Group>
          <NativeSelect
            aria-label="Endpoint"
            maw={360}
            data={[
              { value: '', label: 'All endpoints' },
              ...endpoints.map(({ id, url }) => ({ value: id, label: url })),
            ]}
            value={endpoint ?? ''}
            onChange={({ currentTarget }) => select({ endpoint: currentTarget.value || undefined })}
          />
          <NativeSelect
            aria-label="Status"
            data={[
              { value: '', label: 'Any status' },
              ...statuses.map((choice) => ({ value: choice, label: labels[choice] })),
            ]}
            value={status ?? ''}
            onChange={({ currentTarget }) => select({ status: (currentTarget.value || undefined) as DeliveryStatus })}
          />
        </Group>
      </Group>
      <ErrorText error={error} />
      {data?.deliveries.length === 0 && <Text c="dimmed">No deliveries. Send a test event to an endpoint.</Text>}
      {data !== undefined && data.deliveries.length > 0 && (
        <Table className={classes.table ?? ''} verticalSpacing="xs" aria-label="Deliveries">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Event</Table.Th>
              <Table.Th>Receiver</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>Attempts</Table.Th>
              <Table.Th>Created</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.deliveries.map((delivery) => (
              <Table.Tr key={delivery.id}>
                <Table.Td>
                  <UnstyledButton onClick={() => onSearch({ ...search, delivery: delivery.id })}>
                    <Text size="sm" fw={550} td="underline" className={classes.name ?? ''}>
                      {delivery.eventType}
                    </Text>
                  </UnstyledButton>
                </Table.Td>
                <Table.Td data-label="Receiver">
                  <Text size="sm" lineClamp={2} title={delivery.url} className={classes.name ?? ''}>
                    {delivery.url}
                  </Text>
                </Table.Td>
                <Table.Td data-label="Status">
                  <StatusBadge status={delivery.status} />
                </Table.Td>
                <Table.Td data-label="Attempts">
                  <Text size="sm">{delivery.attempts}</Text>
                </Table.Td>
                <Table.Td data-label="Created">
                  <RelativeTime at={delivery.createdAt} size="sm" />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {data !== undefined && (
        <NewerOlder cursor={cursor} next={data.cursor} onTurn={(next) => onSearch(withCursor(search, next))} />
      )}
    </Stack>
  )
}
