import { Card, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './ranking.module.css'

export interface Ranked {
  id: string
  label: ReactNode
  amount: number
  text: string
}

/** A list sorted by amount, with bars relative to the largest. */
export function Ranking({ title, rows, nothing }: { title: string; rows: readonly Ranked[]; nothing: string }) {
  const largest = Math.max(...rows.map(({ amount }) => amount), Number.MIN_VALUE)
  return (
    <Card withBorder padding="md" component="section" aria-label={title}>
      <Title order={2} size="sm" mb="sm">
        {title}
      </Title>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {nothing}
        </Text>
      ) : (
        <Stack component="ol" gap={8} className={classes.list ?? ''}>
          {rows.map(({ id, label, amount, text }) => (
            <li key={id} className={classes.row}>
              <span className={classes.bar} style={{ width: `${(amount / largest) * 100}%` }} />
              <Text size="sm" truncate>
                {label}
              </Text>
              <Text size="sm" className={classes.amount ?? ''}>
                {text}
              </Text>
            </li>
          ))}
        </Stack>
      )}
    </Card>
  )
}
