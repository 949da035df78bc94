import { Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type KeyRecord, type NewKey, revokeKey, rotateKey } from '../../api/keys.ts'
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
  record: KeyRecord
  onClose(): void
  onDone(done: Done): void
}

/** Replaces a key. The old key can stay valid for some time, so that running programs are not interrupted. */
export function RotateModal({ record, onClose, onDone }: ConfirmProps<NewKey>) {
  useReturnFocus()
  const [overlap, setOverlap] = useState('86400')
  const rotating = useMutation({ mutationFn: () => rotateKey(record.id, Number(overlap)), onSuccess: onDone })
  return (
    <Modal opened onClose={onClose} title={`Rotate ${record.name || record.prefix}`}>
      <Stack>
        <Text size="sm">Creates a new key with the same name and permissions. The new key is shown once.</Text>
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

export function RevokeModal({ record, onClose, onDone }: ConfirmProps<KeyRecord>) {
  const revoking = useMutation({ mutationFn: () => revokeKey(record.id), onSuccess: onDone })
  return (
    <ConfirmModal
      title={`Revoke ${record.name || record.prefix}?`}
      action="Revoke"
      confirming={revoking}
      onClose={onClose}
    >
      Requests with this key will fail immediately. You can’t undo this.
      {record.current ? ' This session uses the key, so you will be signed out.' : ''}
    </ConfirmModal>
  )
}
