import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/client.ts'

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <Notice title="Something went wrong" text={error instanceof Error ? error.message : String(error)}>
      {requestId !== undefined && (
        <Text size="xs" c="dimmed" ff="monospace">
          {requestId}
        </Text>
      )}
      <Button mt="sm" onClick={reset}>
        Try again
      </Button>
    </Notice>
  )
}

export function NotFoundPage() {
  return (
    <Notice as="main" title="Page not found" text="Check the address. The page may have been deleted.">
      <Button mt="sm" component={Link} to="/workflows">
        Go to workflows
      </Button>
    </Notice>
  )
}

/** A notice that replaces the page or a part of it. */
function Notice({
  as = 'section',
  title,
  text,
  children,
}: {
  as?: 'main' | 'section'
  title: string
  text: string
  children: ReactNode
}) {
  return (
    <Center component={as} aria-label={title} mih="70vh" p="lg">
      <title>{`${title} · Tintype`}</title>
      <Stack align="center" gap="xs" maw={480}>
        <img src="/favicon.svg" alt="" width={44} height={44} />
        <Title order={1} size="h2" mt="sm">
          {title}
        </Title>
        <Text c="dimmed" ta="center">
          {text}
        </Text>
        {children}
      </Stack>
    </Center>
  )
}
