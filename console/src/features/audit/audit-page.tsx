import { Button, Group, NativeSelect, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { type AuditEntry, auditCsvUrl, auditQuery } from '../../api/audit.ts'
import { ApiError } from '../../api/client.ts'
import { withCursor } from '../../ui/cursors.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { NewerOlder } from '../../ui/newer-older.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { tableClasses as classes } from '../../ui/table-classes.ts'
import { type AuditSearch, actions } from './search.ts'

const route = getRouteApi('/shell/audit')

/** The changes of the account: who, when, from where, and the changed fields. */
export function AuditPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { cursor, ...filter } = search
  const { data, error } = useQuery(auditQuery(filter, cursor))
  const onSearch = (next: AuditSearch) => void navigate({ search: next, replace: true })

  if (error instanceof ApiError && error.code === 'forbidden')
    return (
      <Page title="Audit log">
        <Text c="dimmed">
          The key of this session can’t read the audit log. Sign in with a key that has the permission audit:read.
        </Text>
      </Page>
    )
  return (
    <Page
      title="Audit log"
      docs="audit-log"
      actions={
        <Button
          component="a"
          href={auditCsvUrl(filter)}
          download="audit.csv"
          variant="default"
          leftSection={<Download size={16} />}
        >
          Download CSV
        </Button>
      }
    >
      <Stack>
        <Group align="end">
          <NativeSelect
            aria-label="Action"
            data={[{ value: '', label: 'All actions' }, ...actions.map((action) => ({ value: action, label: action }))]}
            value={search.action ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const { action: _, cursor: __, ...rest } = search
              onSearch(value === '' ? rest : { ...rest, action: value as AuditEntry['action'] })
            }}
          />
          <TextInput
            aria-label="Record"
            placeholder="Id of a record"
            value={search.subject ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const { subject: _, cursor: __, ...rest } = search
              onSearch(value.trim() === '' ? rest : { ...rest, subject: value.trim() })
            }}
          />
        </Group>
        <ErrorText error={error} />
        {data === undefined && !error && <Skeleton h={240} />}
        {data?.entries.length === 0 && <Text c="dimmed">No entries.</Text>}
        {data !== undefined && data.entries.length > 0 && (
          <Table className={classes.table ?? ''} verticalSpacing="xs" aria-label="Audit log">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Action</Table.Th>
                <Table.Th>Record</Table.Th>
                <Table.Th>Changed fields</Table.Th>
                <Table.Th>By</Table.Th>
                <Table.Th>Time</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.entries.map((entry) => (
                <Row key={entry.id} entry={entry} />
              ))}
            </Table.Tbody>
          </Table>
        )}
        {data !== undefined && (
          <NewerOlder cursor={cursor} next={data.cursor} onTurn={(next) => onSearch(withCursor(search, next))} />
        )}
      </Stack>
    </Page>
  )
}

function Row({ entry: { action, subject, actor, before, after, createdAt } }: { entry: AuditEntry }) {
  const by = actor.command === undefined ? nameOf(actor) : `tintype ${actor.command}`
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={550}>
          {action}
        </Text>
      </Table.Td>
      <Table.Td data-label="Record">
        <Text size="sm" ff="monospace" maw={180} truncate title={subject}>
          {subject}
        </Text>
      </Table.Td>
      <Table.Td data-label="Changed fields">
        {changesOf(before, after).map((change) => (
          <Text key={change} size="sm" maw={380} truncate title={change}>
            {change}
          </Text>
        ))}
      </Table.Td>
      <Table.Td data-label="By">
        <Text size="sm" maw={180} truncate title={by}>
          {by}
        </Text>
        {actor.address !== undefined && (
          <Text size="xs" c="dimmed">
            {actor.address}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Time">
        <RelativeTime at={createdAt} size="sm" />
      </Table.Td>
    </Table.Tr>
  )
}

function nameOf({ type, keyId }: AuditEntry['actor']): string {
  if (type === 'session') return `Console, ${keyId ?? 'signed out'}`
  return type === 'service' ? 'Tintype' : (keyId ?? 'API key')
}

const hashChars = 15

/** The fields that differ, as text. Hashes are shortened. */
function changesOf(before: AuditEntry['before'], after: AuditEntry['after']): string[] {
  const [from, to] = [before ?? {}, after ?? {}]
  const names = Object.keys({ ...from, ...to })
  return names.flatMap((name) => {
    const [old, now] = [textOf(from[name]), textOf(to[name])]
    if (old === now) return []
    if (before === null) return now === '' ? [] : [`${name}: ${now}`]
    return after === null ? (name === 'name' ? [`${name}: ${old}`] : []) : [`${name}: ${old || '-'} → ${now || '-'}`]
  })
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.startsWith('sha256:') ? `${text.slice(0, hashChars)}…` : text
}
