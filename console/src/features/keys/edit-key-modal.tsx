import { Button, Group, Modal, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { fieldProblems } from '../../api/client.ts'
import { type KeyRecord, updateKey } from '../../api/keys.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { BudgetFields, NameField, settingNames, useKeySettings } from './key-settings.tsx'

interface Props {
  record: KeyRecord
  onClose(): void
  onDone(): void
}

/** Changes the name and the budgets of a key. */
export function EditKeyModal({ record, onClose, onDone }: Props) {
  useReturnFocus()
  const { settings, ...fields } = useKeySettings(record)
  const updating = useMutation({ mutationFn: () => updateKey(record.id, settings), onSuccess: onDone })
  const { problems, rest } = fieldProblems(updating.error, [...settingNames])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    updating.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={`Edit ${record.name || record.prefix}`}>
      <form onSubmit={submit}>
        <Stack gap="lg">
          <NameField {...fields} problems={problems} />
          <BudgetFields {...fields} problems={problems} />
          <ErrorText error={rest} size="sm" />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={updating.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
