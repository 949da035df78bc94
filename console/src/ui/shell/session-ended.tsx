import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useStore } from 'zustand'
import { type Session, sessionQuery, signIn } from '../../api/session.ts'
import { sessionEnded } from '../../api/session-ended.ts'

/** Asks for the key again in a dialog over the page, so that unsaved changes are kept. */
export function SessionEnded({ onLeave }: { onLeave(): void }) {
  const hasEnded = useStore(sessionEnded, (state) => state.hasEnded)
  return hasEnded ? <SignInAgain onLeave={onLeave} /> : null
}

function SignInAgain({ onLeave }: { onLeave(): void }) {
  const [key, setKey] = useState('')
  const queryClient = useQueryClient()
  const signingIn = useMutation({
    mutationFn: () => signIn(key.trim()),
    async onSuccess(session) {
      const before = queryClient.getQueryData<Session | null>(sessionQuery.queryKey)
      // The visible data belongs to another account.
      if (before && before.account.id !== session.account.id) return window.location.assign('/workflows')
      queryClient.setQueryData(sessionQuery.queryKey, session)
      await queryClient.invalidateQueries()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signingIn.mutate()
  }
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">Sign in again to continue. Your changes are kept on this page.</Text>
          <PasswordInput
            label="API key"
            autoComplete="current-password"
            required
            data-autofocus
            value={key}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
            error={signingIn.error?.message}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onLeave}>
              Leave
            </Button>
            <Button type="submit" loading={signingIn.isPending} disabled={key.trim() === ''}>
              Sign in
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
