import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <Center mih="60vh" p="lg">
      <Stack align="center" gap="xs" maw={480}>
        <Title order={2}>That did not work</Title>
        <Text c="dimmed" ta="center">
          {error instanceof Error ? error.message : String(error)}
          {requestId === undefined ? '' : ` (request ${requestId})`}
        </Text>
        <Button mt="sm" onClick={reset}>
          Try again
        </Button>
      </Stack>
    </Center>
  )
}

export function NotFoundPage() {
  return (
    <Center mih="60vh" p="lg">
      <Stack align="center" gap="xs">
        <Title order={2}>There is no such page</Title>
        <Button mt="sm" component={Link} to="/workflows">
          To the workflows
        </Button>
      </Stack>
    </Center>
  )
}
