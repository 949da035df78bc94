import { Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ConfirmModal } from '../../ui/confirm-modal.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'

const overlaps = [
  { value: '0', label: 'Expires immediately' },
  { value: '3600', label: 'Stays valid for 1 hour' },
  { value: '86400', label: 'Stays valid for 1 day' },
  { value: '604800', label: 'Stays valid for 1 week' },
]

interface ConfirmProps<Done> {
  /** The name of the key. */
  of: string
  /** The consequences. */
  children: ReactNode
  onClose(): void
  onDone(done: Done): void
}

interface RotateProps<Done> extends ConfirmProps<Done> {
  rotate(overlapSeconds: number): Promise<Done>
}

/** Replaces a key. The old key can stay valid for some time, so that running programs are not interrupted. */
export function RotateModal<Done>({ of, children, rotate, onClose, onDone }: RotateProps<Done>) {
  useReturnFocus()
  const [overlap, setOverlap] = useState('86400')
  const rotating = useMutation({ mutationFn: () => rotate(Number(overlap)), onSuccess: onDone })
  return (
    <Modal opened onClose={onClose} title={`Rotate ${of}`}>
      <Stack>
        <Text size="sm">{children}</Text>
        <NativeSelect
          label="The old key"
          data={overlaps}
          value={overlap}
          onChange={({ currentTarget }) => setOverlap(currentTarget.value)}
        />
        <ErrorText error={rotating.error} size="sm" />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={rotating.isPending} onClick={() => rotating.mutate()}>
            Rotate
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

interface RevokeProps<Done> extends ConfirmProps<Done> {
  revoke(): Promise<Done>
}

export function RevokeModal<Done>({ of, children, revoke, onClose, onDone }: RevokeProps<Done>) {
  const revoking = useMutation({ mutationFn: revoke, onSuccess: onDone })
  return (
    <ConfirmModal title={`Revoke ${of}?`} action="Revoke" confirming={revoking} onClose={onClose}>
      {children}
    </ConfirmModal>
  )
}
