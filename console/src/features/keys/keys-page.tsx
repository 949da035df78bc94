import { Button, Center, Skeleton, Stack, Switch, Table, Text, VisuallyHidden } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { type KeyRecord, keysQuery, type NewKey, whyDead } from '../../api/keys.ts'
import { useCommands } from '../../ui/commands/commands.ts'
import { Page } from '../../ui/page.tsx'
import { RevokeModal, RotateModal } from './confirm-modals.tsx'
import { KeyRow } from './key-row.tsx'
import { NewKeyModal } from './new-key-modal.tsx'
import { ShownOnce } from './shown-once.tsx'
import classes from './table.module.css'

type Doing = { what: 'new' } | { what: 'rotate' | 'revoke'; record: KeyRecord } | { what: 'show'; made: NewKey }

export function KeysPage() {
  const [doing, setDoing] = useState<Doing>()
  const [withDead, setWithDead] = useState(false)
  const [offset, setOffset] = useState(0)
  const { data, error, isPending } = useQuery(keysQuery(offset))
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const begin = () => setDoing({ what: 'new' })
  useCommands([{ id: 'keys.new', title: 'New API key', group: 'API keys', shortcuts: ['N'], run: begin }])
  const close = () => setDoing(undefined)
  const reload = () => queryClient.invalidateQueries({ queryKey: ['keys'] })
  const show = (made: NewKey) => {
    setDoing({ what: 'show', made })
    void reload()
  }
  const now = new Date()
  const all = data?.keys ?? []
  const shown = withDead ? all : all.filter((record) => whyDead(record, now) === undefined)

  if (error instanceof ApiError && error.code === 'forbidden')
    return (
      <Page title="API keys">
        <Text c="dimmed">The key of this session may not manage keys: that takes one that may do everything.</Text>
      </Page>
    )
  return (
    <Page
      title="API keys"
      actions={
        <Button leftSection={<Plus size={16} />} onClick={begin}>
          New key
        </Button>
      }
    >
      <Stack gap="sm">
        <Switch
          label="Show revoked and expired keys"
          checked={withDead}
          onChange={({ currentTarget }) => setWithDead(currentTarget.checked)}
        />
        {error && (
          <Text c="red" role="alert">
            {error.message}
          </Text>
        )}
        <Table className={classes.table ?? ''} verticalSpacing="sm" aria-label="API keys">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Key</Table.Th>
              <Table.Th>Permissions</Table.Th>
              <Table.Th>Created</Table.Th>
              <Table.Th>Last used</Table.Th>
              <Table.Th>Expires</Table.Th>
              <Table.Th w={56}>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {isPending &&
              [1, 2, 3].map((row) => (
                <Table.Tr key={row}>
                  <Table.Td colSpan={6}>
                    <Skeleton h={36} />
                  </Table.Td>
                </Table.Tr>
              ))}
            {shown.map((record) => (
              <KeyRow
                key={record.id}
                record={record}
                now={now}
                onRotate={() => setDoing({ what: 'rotate', record })}
                onRevoke={() => setDoing({ what: 'revoke', record })}
              />
            ))}
          </Table.Tbody>
        </Table>
        {data !== undefined && (offset > 0 || data.hasMore) && (
          <Center>
            <Button.Group>
              <Button variant="default" disabled={offset === 0} onClick={() => setOffset(offset - 100)}>
                Newer
              </Button>
              <Button variant="default" disabled={!data.hasMore} onClick={() => setOffset(offset + 100)}>
                Older
              </Button>
            </Button.Group>
          </Center>
        )}
      </Stack>
      {doing?.what === 'new' && <NewKeyModal onClose={close} onCreated={show} />}
      {doing?.what === 'show' && <ShownOnce made={doing.made} onClose={close} />}
      {doing?.what === 'rotate' && <RotateModal record={doing.record} onClose={close} onDone={show} />}
      {doing?.what === 'revoke' && (
        <RevokeModal
          record={doing.record}
          onClose={close}
          onDone={({ current }) => {
            close()
            if (!current) return void reload()
            queryClient.clear()
            void navigate({ to: '/sign-in' })
          }}
        />
      )}
    </Page>
  )
}
