import { Card, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A number with a label and a note. */
export function Figure({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <Card withBorder padding="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={28} fw={620} lh={1.25} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>
      <Text size="xs" c="dimmed" mih={18}>
        {note}
      </Text>
    </Card>
  )
}
