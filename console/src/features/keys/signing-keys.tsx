import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { inactiveReason } from '../../api/keys.ts'
import {
  type NewSigningKey,
  revokeSigningKey,
  rotateSigningKey,
  type SigningKeyRecord,
  signingKeysQuery,
} from '../../api/signing-keys.ts'
import { useCommands } from '../../ui/commands/commands.ts'
import { DocsLink } from '../../ui/docs-link.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { NewerOlder } from '../../ui/newer-older.tsx'
import { RevokeModal, RotateModal } from './confirm-modals.tsx'
import { KeyTable } from './key-table.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { NewSigningKeyModal } from './new-signing-key-modal.tsx'
import { SigningKeyRow } from './signing-key-row.tsx'

type OpenDialog =
  | { kind: 'new' }
  | { kind: 'rotate' | 'revoke'; record: SigningKeyRecord }
  | { kind: 'show'; newKey: NewSigningKey }

/** The part of the page for keys that sign delivery URLs. */
export function SigningKeys({ showsInactive }: { showsInactive: boolean }) {
  const [dialog, setDialog] = useState<OpenDialog>()
  const [cursor, setCursor] = useState<string>()
  const { data, error, isPending } = useQuery(signingKeysQuery(cursor))
  const queryClient = useQueryClient()
  const openNewKey = () => setDialog({ kind: 'new' })
  useCommands([{ id: 'signing-keys.new', title: 'New signing key', group: 'API keys', run: openNewKey }])
  const close = () => setDialog(undefined)
  const reload = () => queryClient.invalidateQueries({ queryKey: ['signing-keys'] })
  const show = (newKey: NewSigningKey) => {
    setDialog({ kind: 'show', newKey })
    void reload()
  }
  const now = new Date()
  const all = data?.signingKeys ?? []
  const visible = showsInactive ? all : all.filter((record) => inactiveReason(record, now) === undefined)
  return (
    <Stack gap="sm" component="section" aria-labelledby="signing-keys">
      <Group justify="space-between" gap="sm">
        <Group gap={4} wrap="nowrap">
          <Title order={2} size="h3" id="signing-keys">
            Signing keys
          </Title>
          <DocsLink page="delivery-urls" about="Signing keys" />
        </Group>
        <Button variant="default" leftSection={<Plus size={16} />} onClick={openNewKey}>
          New signing key
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        They sign delivery URLs, which show outputs and images in web pages. They can’t send requests to the API.
      </Text>
      <ErrorText error={error} />
      {data !== undefined && visible.length === 0 && <Text size="sm">No signing keys.</Text>}
      {(isPending || visible.length > 0) && (
        <KeyTable label="Signing keys" columns={['URLs of', 'Monthly budget']} loadingRows={isPending ? 1 : 0}>
          {visible.map((record) => (
            <SigningKeyRow
              key={record.id}
              record={record}
              now={now}
              onRotate={() => setDialog({ kind: 'rotate', record })}
              onRevoke={() => setDialog({ kind: 'revoke', record })}
            />
          ))}
        </KeyTable>
      )}
      {data !== undefined && <NewerOlder cursor={cursor} next={data.cursor} onTurn={setCursor} />}
      {dialog?.kind === 'new' && <NewSigningKeyModal onClose={close} onCreated={show} />}
      {dialog?.kind === 'show' && (
        <NewKeyDialog
          title="Your new signing key"
          warning="The secret is shown only once. Keep it on your server: everyone who has it can sign URLs."
          label={`Secret of ${dialog.newKey.name || dialog.newKey.id}`}
          secret={dialog.newKey.secret}
          copyLabel="Copy secret"
          onClose={close}
        >
          Its URLs have <code>kid={dialog.newKey.id}</code>.
        </NewKeyDialog>
      )}
      {dialog?.kind === 'rotate' && (
        <RotateModal
          of={nameOf(dialog.record)}
          rotate={(overlapSeconds) => rotateSigningKey(dialog.record.id, overlapSeconds)}
          onClose={close}
          onDone={show}
        >
          Creates a new key with the same settings, expiry and budget. Its secret is shown once. URLs of the old key are
          rejected when it expires.
        </RotateModal>
      )}
      {dialog?.kind === 'revoke' && (
        <RevokeModal
          of={nameOf(dialog.record)}
          revoke={() => revokeSigningKey(dialog.record.id)}
          onClose={close}
          onDone={() => {
            close()
            void reload()
          }}
        >
          All URLs of this key will be rejected immediately, so images in web pages will be missing. Copies in browsers
          and CDNs stay until they expire. You can’t undo this.
        </RevokeModal>
      )}
    </Stack>
  )
}

function nameOf({ name, id }: SigningKeyRecord): string {
  return name || id
}
