import { Button, Space, Stack, Switch, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { inactiveReason, type KeyRecord, keysQuery, type NewKey, revokeKey, rotateKey } from '../../api/keys.ts'
import { useCommands } from '../../ui/commands/commands.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { NewerOlder } from '../../ui/newer-older.tsx'
import { Page } from '../../ui/page.tsx'
import { RevokeModal, RotateModal } from './confirm-modals.tsx'
import { EditKeyModal } from './edit-key-modal.tsx'
import { KeyRow } from './key-row.tsx'
import { KeyTable } from './key-table.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { NewKeyModal } from './new-key-modal.tsx'
import { SigningKeys } from './signing-keys.tsx'

type OpenDialog =
  | { kind: 'new' }
  | { kind: 'edit' | 'rotate' | 'revoke'; record: KeyRecord }
  | { kind: 'show'; newKey: NewKey }

export function KeysPage() {
  const [dialog, setDialog] = useState<OpenDialog>()
  const [showsInactive, setShowsInactive] = useState(false)
  const [cursor, setCursor] = useState<string>()
  const { data, error, isPending } = useQuery(keysQuery(cursor))
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const openNewKey = () => setDialog({ kind: 'new' })
  useCommands([{ id: 'keys.new', title: 'New API key', group: 'API keys', shortcuts: ['N'], run: openNewKey }])
  const close = () => setDialog(undefined)
  const reload = () => queryClient.invalidateQueries({ queryKey: ['keys'] })
  const show = (newKey: NewKey) => {
    setDialog({ kind: 'show', newKey })
    void reload()
  }
  const now = new Date()
  const all = data?.keys ?? []
  const visible = showsInactive ? all : all.filter((record) => inactiveReason(record, now) === undefined)

  if (error instanceof ApiError && error.code === 'forbidden')
    return (
      <Page title="API keys">
        <Text c="dimmed">The key of this session can’t manage keys. Sign in with a key that has full access.</Text>
      </Page>
    )
  return (
    <Page
      title="API keys"
      docs="authentication"
      actions={
        <Button leftSection={<Plus size={16} />} onClick={openNewKey}>
          New key
        </Button>
      }
    >
      <Stack gap="sm">
        <Switch
          label="Show revoked and expired keys"
          checked={showsInactive}
          onChange={({ currentTarget }) => setShowsInactive(currentTarget.checked)}
        />
        <ErrorText error={error} />
        <KeyTable label="API keys" columns={['Permissions', 'Budget', 'Created']} loadingRows={isPending ? 3 : 0}>
          {visible.map((record) => (
            <KeyRow
              key={record.id}
              record={record}
              now={now}
              onEdit={() => setDialog({ kind: 'edit', record })}
              onRotate={() => setDialog({ kind: 'rotate', record })}
              onRevoke={() => setDialog({ kind: 'revoke', record })}
            />
          ))}
        </KeyTable>
        {data !== undefined && <NewerOlder cursor={cursor} next={data.cursor} onTurn={setCursor} />}
        <Space h="md" />
        <SigningKeys showsInactive={showsInactive} />
      </Stack>
      {dialog?.kind === 'new' && <NewKeyModal onClose={close} onCreated={show} />}
      {dialog?.kind === 'show' && (
        <NewKeyDialog
          title="Your new key"
          warning="The key is shown only once, because the service stores only its hash."
          label={dialog.newKey.name || 'API key'}
          secret={dialog.newKey.key}
          copyLabel="Copy key"
          onClose={close}
        >
          Send it with each request: <code>Authorization: Bearer …</code>
        </NewKeyDialog>
      )}
      {dialog?.kind === 'edit' && (
        <EditKeyModal
          record={dialog.record}
          onClose={close}
          onDone={() => {
            close()
            void reload()
          }}
        />
      )}
      {dialog?.kind === 'rotate' && (
        <RotateModal
          of={nameOf(dialog.record)}
          rotate={(overlapSeconds) => rotateKey(dialog.record.id, overlapSeconds)}
          onClose={close}
          onDone={show}
        >
          Creates a new key with the same name, permissions and budgets. The new key is shown once.
        </RotateModal>
      )}
      {dialog?.kind === 'revoke' && (
        <RevokeModal
          of={nameOf(dialog.record)}
          revoke={() => revokeKey(dialog.record.id)}
          onClose={close}
          onDone={({ current }) => {
            close()
            if (!current) return void reload()
            queryClient.clear()
            void navigate({ to: '/sign-in' })
          }}
        >
          Requests with this key will fail immediately. You can’t undo this.
          {dialog.record.current ? ' This session uses the key, so you will be signed out.' : ''}
        </RevokeModal>
      )}
    </Page>
  )
}

function nameOf({ name, prefix }: KeyRecord): string {
  return name || prefix
}
