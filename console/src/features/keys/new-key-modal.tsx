import { Button, Checkbox, Modal, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldProblems } from '../../api/client.ts'
import { createKey, type NewKey, type Permission } from '../../api/keys.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { LabelledChoice } from '../../ui/labelled-choice.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { lifetimes } from './key-cells.tsx'
import { BudgetFields, NameField, settingNames, useKeySettings } from './key-settings.tsx'
import { defaultPermissions, permissions } from './permissions.ts'

interface NewKeyModalProps {
  onClose(): void
  onCreated(key: NewKey): void
}

export function NewKeyModal({ onClose, onCreated }: NewKeyModalProps) {
  useReturnFocus()
  const { settings, ...fields } = useKeySettings()
  const [reach, setReach] = useState<'all' | 'some'>('some')
  const [selected, setSelected] = useState<readonly Permission[]>(defaultPermissions)
  const [days, setDays] = useState('')
  const [isTest, setIsTest] = useState(false)
  const creating = useMutation({ mutationFn: createKey, onSuccess: onCreated })
  const { problems, rest } = fieldProblems(creating.error, [...settingNames, 'permissions', 'expiresInDays'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate({
      ...settings,
      permissions: reach === 'all' ? ['all'] : [...selected],
      ...(days === '' ? {} : { expiresInDays: Number(days) }),
      ...(isTest && { test: true }),
    })
  }
  return (
    <Modal opened onClose={onClose} title="New API key" size="lg">
      <form onSubmit={submit}>
        <Stack gap="lg">
          <NameField {...fields} problems={problems} />
          <LabelledChoice
            label="Mode"
            options={{ live: 'Live', test: 'Test' }}
            value={isTest ? 'test' : 'live'}
            onChange={(value) => setIsTest(value === 'test')}
          >
            {isTest && (
              <Text size="sm" c="dimmed">
                For CI and first steps: executions cost nothing, call no AI provider, and mark their outputs. The key
                can’t publish workflows or change settings.
              </Text>
            )}
          </LabelledChoice>
          <LabelledChoice label="Access" options={{ some: 'Limited', all: 'Full' }} value={reach} onChange={setReach}>
            {reach === 'all' && isTest ? (
              <Text size="sm" c="dimmed">
                Includes everything that a test key can do.
              </Text>
            ) : reach === 'all' ? (
              <Text size="sm" c="dimmed">
                Includes creating and revoking keys. Use it for people, and limited keys for programs.
              </Text>
            ) : (
              <Checkbox.Group
                description="The default runs workflows in the console, with a shared link and over the API."
                value={[...selected]}
                onChange={(values) => setSelected(values as Permission[])}
                error={problems.permissions}
              >
                <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={8} mt={8}>
                  {permissions.map(({ id, label, summary }) => (
                    <Checkbox key={id} value={id} label={label} description={summary} />
                  ))}
                </SimpleGrid>
              </Checkbox.Group>
            )}
          </LabelledChoice>
          <BudgetFields {...fields} problems={problems} />
          <NativeSelect
            label="Expires"
            data={lifetimes}
            value={days}
            onChange={({ currentTarget }) => setDays(currentTarget.value)}
            error={problems.expiresInDays}
            maw={200}
          />
          <ErrorText error={rest} size="sm" />
          <Button type="submit" loading={creating.isPending} disabled={reach === 'some' && selected.length === 0}>
            Create key
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
