import { Badge, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { tableClasses as classes } from '../../ui/table-classes.ts'

/** The lifetimes of a new key, in days. */
export const lifetimes = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

interface KeyNameProps {
  name: string
  /** The id, or the start of the key. */
  id: string
  inactive: string | undefined
  children?: ReactNode
}

export function KeyName({ name, id, inactive, children }: KeyNameProps) {
  return (
    <>
      <Group gap={8}>
        <Text size="sm" fw={550} className={classes.name ?? ''}>
          {name === '' ? 'Unnamed' : name}
        </Text>
        {children}
        {inactive !== undefined && (
          <Badge color="gray" variant="default" tt="none">
            {inactive}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" ff="monospace">
        {id}
      </Text>
    </>
  )
}

export function LastUsed({ at }: { at: string | undefined }) {
  if (at !== undefined) return <RelativeTime at={at} size="sm" />
  return (
    <Text size="sm" c="dimmed">
      Never
    </Text>
  )
}

/** When a key ends or has ended: a date, within a day with the time. */
export function endText(end: string | undefined, now: Date): string {
  if (end === undefined) return 'Never'
  const at = new Date(end)
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
  return at > now && at.getTime() - now.getTime() < 86_400_000 ? at.toLocaleString('en-GB') : day
}
