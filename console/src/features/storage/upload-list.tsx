import { ActionIcon, Button, Card, Group, Progress, Stack, Text } from '@mantine/core'
import { RotateCcw, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { byteSize, counted } from '../../ui/format.ts'
import type { UploadQueue } from './queue.ts'

/** The uploads of the page with their progress and errors. */
export function UploadList({ queue }: { queue: UploadQueue }) {
  const uploads = useSyncExternalStore(queue.subscribe, queue.list)
  if (uploads.length === 0) return null
  const done = uploads.filter(({ status }) => status === 'done').length
  return (
    <Card withBorder padding="sm" mb="lg" component="section" aria-label="Uploads">
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={550} role="status">
          {done === uploads.length ? `${counted(done, 'image')} uploaded` : `${done} of ${uploads.length} uploaded`}
        </Text>
        {done > 0 && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={queue.clear}>
            Clear
          </Button>
        )}
      </Group>
      <Stack gap={6} mah={240} style={{ overflow: 'auto' }}>
        {uploads.map(({ id, name, size, status, progress, problem }) => (
          <Group key={id} gap="sm" wrap="nowrap">
            <Stack gap={3} flex={1} miw={0}>
              <Group justify="space-between" gap="sm" wrap="nowrap">
                <Text size="sm" truncate>
                  {name}
                </Text>
                <Text size="xs" c={status === 'failed' ? 'red' : 'dimmed'} style={{ flex: 'none' }}>
                  {status === 'failed' ? problem : status === 'waiting' ? 'waiting' : byteSize(size)}
                </Text>
              </Group>
              <Progress
                size={4}
                value={progress * 100}
                color={status === 'failed' ? 'red' : status === 'done' ? 'green' : 'copper'}
                aria-label={`Upload of ${name}`}
              />
            </Stack>
            {status === 'failed' && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={`Upload ${name} again`}
                onClick={() => queue.retry(id)}
              >
                <RotateCcw size={16} />
              </ActionIcon>
            )}
            {status !== 'done' && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={`Remove ${name}`}
                onClick={() => queue.cancel(id)}
              >
                <X size={16} />
              </ActionIcon>
            )}
          </Group>
        ))}
      </Stack>
    </Card>
  )
}
