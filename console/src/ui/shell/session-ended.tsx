import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { type Session, sessionQuery, signIn } from '../../api/session.ts'
import { sessionEnded } from '../../api/session-ended.ts'
import { useReturnFocus } from '../use-return-focus.ts'
import classes from './session-ended.module.css'

/**
 * Asks for the key again in a dialog over the page, so that unsaved changes are kept. A dialog of the browser: it is part of
 * each page, because a chunk that is loaded now may not exist any more, and the page would reload.
 */
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
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useReturnFocus()
  useLayoutEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])
  const error = signingIn.error?.message
  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby={`${id}-title`}
      // Escape closes it otherwise.
      onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
      onCancel={(event) => event.preventDefault()}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text component="h2" id={`${id}-title`} size="lg" fw={620}>
            Your session has ended
          </Text>
          <Text size="sm">Sign in again to continue. Your changes are kept on this page.</Text>
          <div>
            <Text component="label" htmlFor={`${id}-key`} size="sm" fw={500}>
              API key
            </Text>
            <input
              id={`${id}-key`}
              className={classes.key}
              type="password"
              autoComplete="current-password"
              required
              autoFocus
              value={key}
              onChange={({ currentTarget }) => setKey(currentTarget.value)}
              aria-invalid={error !== undefined}
              aria-describedby={error === undefined ? undefined : `${id}-error`}
            />
            {error !== undefined && (
              <Text id={`${id}-error`} role="alert" size="xs" c="var(--mantine-color-error)">
                {error}
              </Text>
            )}
          </div>
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
    </dialog>
  )
}
