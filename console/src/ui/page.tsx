import { Box, Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page.module.css'

/** A page with a title, actions on the right, and its content. */
export function Page({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <Box p={{ base: 'md', md: 'xl' }} maw={1440} w="100%">
      <title>{`${title} · Tintype`}</title>
      <Group justify="space-between" mb="lg" gap="sm">
        <Title order={1} size="h2">
          {title}
        </Title>
        {actions && <div className={classes.actions}>{actions}</div>}
      </Group>
      {children}
    </Box>
  )
}
