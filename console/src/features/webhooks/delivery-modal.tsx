import { Button, Code, Group, Modal, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { deliveryQuery, replayDelivery } from '../../api/webhooks.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { StatusBadge } from './deliveries.tsx'

const problems: Record<string, string> = {
  endpoint_disabled: 'The endpoint is disabled.',
  endpoint_deleted: 'The endpoint was deleted.',
  backlog: 'Too many deliveries were waiting.',
}

/** One delivery: its attempts with the responses, its body, and a button to send it again. */
export function DeliveryModal({ deliveryId, onClose }: { deliveryId: string; onClose(): void }) {
  useReturnFocus()
  const queryClient = useQueryClient()
  const { data, error } = useQuery(deliveryQuery(deliveryId))
  const replaying = useMutation({
    mutationFn: () => replayDelivery(deliveryId),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  const shownError = replaying.error ?? error
  return (
    <Modal opened onClose={onClose} title={data?.eventType ?? 'Delivery'} size="xl">
      <Stack>
        <ErrorText error={shownError} size="sm" />
        {data === undefined && !error && <Skeleton h={200} />}
        {data !== undefined && (
          <>
            <Group justify="space-between">
              <Group gap="sm">
                <StatusBadge status={data.status} />
                <Text size="sm" c="dimmed">
                  {data.problem ? (problems[data.problem] ?? data.problem) : nextText(data)}
                </Text>
              </Group>
              <Button
                variant="default"
                disabled={data.status === 'pending'}
                loading={replaying.isPending}
                onClick={() => replaying.mutate()}
              >
                Send again
              </Button>
            </Group>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              To {data.url}, with the id <Code>{data.eventId}</Code>
            </Text>
            <Table aria-label="Attempts" verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Time</Table.Th>
                  <Table.Th>Status</Table.Th>
                  <Table.Th>Duration</Table.Th>
                  <Table.Th>Response</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.log.map((attempt) => (
                  <Table.Tr key={attempt.at}>
                    <Table.Td>
                      <RelativeTime at={attempt.at} size="sm" />
                    </Table.Td>
                    <Table.Td>
                      <Text size="sm" c={attempt.problem === undefined ? 'inherit' : 'red'}>
                        {attempt.status ?? 'No response'}
                      </Text>
                    </Table.Td>
                    <Table.Td>
                      <Text size="sm">{attempt.duration} ms</Text>
                    </Table.Td>
                    <Table.Td>
                      <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
                        {attempt.response || attempt.problem || ''}
                      </Text>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            <Text size="sm" fw={500}>
              Body
            </Text>
            <Code block mah={320} tabIndex={0} aria-label="Body" style={{ overflow: 'auto' }}>
              {readable(data.body)}
            </Code>
          </>
        )}
      </Stack>
    </Modal>
  )
}

function nextText({ status, nextAttemptAt }: { status: string; nextAttemptAt?: string }): string {
  if (status !== 'pending' || nextAttemptAt === undefined) return ''
  return `Next attempt at ${new Date(nextAttemptAt).toLocaleString('en-GB')}`
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
