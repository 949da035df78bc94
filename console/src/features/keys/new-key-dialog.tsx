import { Alert, Button, CopyButton, Modal, Stack, Text, TextInput } from '@mantine/core'
import { Check, Copy, KeyRound } from 'lucide-react'
import type { NewKey } from '../../api/keys.ts'
import { useReturnFocus } from '../../ui/use-return-focus.ts'

/** Shows the secret text of a new key. It is not stored, so it is shown only here. */
export function NewKeyDialog({ newKey, onClose }: { newKey: NewKey; onClose(): void }) {
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title="Your new key" size="lg" closeOnClickOutside={false} closeOnEscape={false}>
      <Stack gap="md">
        <Alert icon={<KeyRound size={18} />} color="copper" title="Copy it now">
          The key is shown only once, because the service stores only its hash.
        </Alert>
        <TextInput
          label={newKey.name === '' ? 'API key' : newKey.name}
          readOnly
          value={newKey.key}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          data-autofocus
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton value={newKey.key} timeout={3000}>
          {({ copied, copy }) => (
            <Button onClick={copy} leftSection={copied ? <Check size={16} /> : <Copy size={16} />}>
              {copied ? 'Copied' : 'Copy key'}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
        <Text size="sm" c="dimmed">
          Send it with each request: <code>Authorization: Bearer …</code>
        </Text>
      </Stack>
    </Modal>
  )
}
