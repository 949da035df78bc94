import { Alert, Button, CopyButton, Modal, Stack, Text, TextInput } from '@mantine/core'
import { Check, Copy, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useReturnFocus } from '../../ui/use-return-focus.ts'

interface Props {
  title: string
  /** Why it is shown only once. */
  warning: string
  label: string
  secret: string
  /** The label of the button that copies it. */
  copyLabel: string
  /** How to use it. */
  children: ReactNode
  onClose(): void
}

/** Shows the secret text of a new key. No later response has it, so it is shown only here. */
export function NewKeyDialog({ title, warning, label, secret, copyLabel, children, onClose }: Props) {
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeOnClickOutside={false} closeOnEscape={false}>
      <Stack gap="md">
        <Alert icon={<KeyRound size={18} />} color="copper" title="Copy it now">
          {warning}
        </Alert>
        <TextInput
          label={label}
          readOnly
          value={secret}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          data-autofocus
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton value={secret} timeout={3000}>
          {({ copied, copy }) => (
            <Button onClick={copy} leftSection={copied ? <Check size={16} /> : <Copy size={16} />}>
              {copied ? 'Copied' : copyLabel}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </Stack>
    </Modal>
  )
}
