import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { hasStatus } from '../api/client.ts'

/** Shown instead of an empty list: the reason, and actions. */
export function EmptyState({ title, children, actions }: { title: string; children: ReactNode; actions?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py={72} px="md">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" ta="center" maw={440}>
        {children}
      </Text>
      {actions !== undefined && (
        <Group mt="md" gap="sm" justify="center">
          {actions}
        </Group>
      )}
    </Stack>
  )
}

export function LoadFailed({
  error,
  onRetry,
  title = 'The list couldn’t be loaded',
  instead,
}: {
  error: Error
  onRetry(): void
  title?: string
  /** Actions for something that no longer exists. */
  instead?: ReactNode
}) {
  const isGone = hasStatus(error, 404)
  return (
    <EmptyState title={title} actions={isGone && instead ? instead : <Button onClick={onRetry}>Try again</Button>}>
      {error.message}
    </EmptyState>
  )
}
