import { ActionIcon, Menu, Skeleton, Table, Text, VisuallyHidden } from '@mantine/core'
import { Ban, EllipsisVertical, Pencil, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { inactiveReason, type KeyRecord } from '../../api/keys.ts'
import { tableClasses as classes } from '../../ui/table-classes.ts'
import { endText, KeyName, LastUsed } from './key-cells.tsx'

interface KeyTableProps {
  label: string
  /** Titles of the columns between the key and its last use. */
  columns: readonly string[]
  /** Rows of placeholders, at most 3, while the keys are loaded. */
  loadingRows: number
  children: ReactNode
}

/** API keys or signing keys: each child is a `KeyTableRow`. */
export function KeyTable({ label, columns, loadingRows, children }: KeyTableProps) {
  return (
    <Table className={classes.table ?? ''} verticalSpacing="sm" aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          {['Key', ...columns, 'Last used', 'Expires'].map((title) => (
            <Table.Th key={title}>{title}</Table.Th>
          ))}
          <Table.Th w={56}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {[1, 2, 3].slice(0, loadingRows).map((row) => (
          <Table.Tr key={row}>
            <Table.Td colSpan={columns.length + 4}>
              <Skeleton h={36} />
            </Table.Td>
          </Table.Tr>
        ))}
        {children}
      </Table.Tbody>
    </Table>
  )
}

interface KeyTableRowProps {
  record: Pick<KeyRecord, 'name' | 'lastUsedAt' | 'expiresAt' | 'revokedAt'>
  /** The id, or the start of the key. */
  id: string
  badge?: ReactNode
  /** The name in messages and in the menu. */
  of: string
  /** Contents by the titles of their columns. */
  cells: Readonly<Record<string, ReactNode>>
  now: Date
  /** Undefined: the key can't be changed. */
  onEdit?(): void
  onRotate(): void
  onRevoke(): void
}

export function KeyTableRow({ record, id, badge, of, cells, now, ...actions }: KeyTableRowProps) {
  const inactive = inactiveReason(record, now)
  return (
    <Table.Tr opacity={inactive === undefined ? 1 : 0.62}>
      <Table.Td>
        <KeyName name={record.name} id={id} inactive={inactive}>
          {badge}
        </KeyName>
      </Table.Td>
      {Object.entries(cells).map(([title, cell]) => (
        <Table.Td key={title} data-label={title}>
          {cell}
        </Table.Td>
      ))}
      <Table.Td data-label="Last used">
        <LastUsed at={record.lastUsedAt} />
      </Table.Td>
      <Table.Td data-label="Expires">
        <Text size="sm">{endText(record.revokedAt ?? record.expiresAt, now)}</Text>
      </Table.Td>
      <Table.Td className={classes.actions ?? ''}>
        {inactive === undefined && <KeyMenu of={of} {...actions} />}
      </Table.Td>
    </Table.Tr>
  )
}

interface Props {
  /** The name of the key. */
  of: string
  onEdit?(): void
  onRotate(): void
  onRevoke(): void
}

function KeyMenu({ of, onEdit, onRotate, onRevoke }: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${of}`}>
          <EllipsisVertical size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onEdit && (
          <Menu.Item leftSection={<Pencil size={16} />} onClick={onEdit}>
            Edit…
          </Menu.Item>
        )}
        <Menu.Item leftSection={<RefreshCw size={16} />} onClick={onRotate}>
          Rotate…
        </Menu.Item>
        <Menu.Item leftSection={<Ban size={16} />} color="red" onClick={onRevoke}>
          Revoke…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
