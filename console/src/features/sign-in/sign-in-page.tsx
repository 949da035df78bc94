import { Anchor, Box, Button, Code, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { sessionQuery, signIn } from '../../api/session.ts'
import classes from './sign-in-page.module.css'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { to = '/workflows' } = route.useSearch()
  const [key, setKey] = useState('')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const entering = useMutation({
    mutationFn: signIn,
    onSuccess(session) {
      // The data may belong to another account.
      queryClient.clear()
      queryClient.setQueryData(sessionQuery.queryKey, session)
      return navigate({ to })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    entering.mutate(key.trim())
  }
  return (
    <Box component="main" className={classes.content}>
      <title>Sign in · Tintype</title>
      <form onSubmit={submit} className={classes.card}>
        <Stack gap="md">
          <img src="/favicon.svg" alt="" width={44} height={44} />
          <Title order={1} size="h2">
            Sign in to Tintype
          </Title>
          <PasswordInput
            label="API key"
            description="Printed in the terminal at the first start of the service."
            placeholder="tt_live_…"
            autoComplete="current-password"
            autoFocus
            required
            value={key}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
            error={entering.error?.message}
          />
          <Button type="submit" loading={entering.isPending} disabled={key.trim() === ''}>
            Sign in
          </Button>
          <Text size="sm" c="dimmed">
            Lost your key? Create a new one with <Code>npx tintype keys create --account &lt;id&gt;</Code>, or read the{' '}
            <Anchor href="/docs" underline="always">
              API reference
            </Anchor>
            .
          </Text>
        </Stack>
      </form>
    </Box>
  )
}
