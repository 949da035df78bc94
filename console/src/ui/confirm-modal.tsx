import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorText } from './error-text.tsx'
import { useReturnFocus } from './use-return-focus.ts'

interface Props {
  title: string
  /** The consequences. */
  children: ReactNode
  /** The label of the button that confirms. */
  action: string
  confirming: { mutate(): void; isPending: boolean; error: Error | null }
  onClose(): void
}

/** Asks before something is deleted or revoked. */
export function ConfirmModal({ title, children, action, confirming, onClose }: Props) {
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <ErrorText error={confirming.error} size="sm" />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={confirming.isPending} onClick={() => confirming.mutate()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
