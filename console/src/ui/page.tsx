import { Box, Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { DocsLink } from './docs-link.tsx'
import classes from './page.module.css'

interface Props {
  title: string
  /** The page of the documentation about this page. */
  docs?: string
  /** Buttons on the right. */
  actions?: ReactNode
  children: ReactNode
}

/** A page with a title and its content. */
export function Page({ title, docs, actions, children }: Props) {
  return (
    <Box p={{ base: 'md', md: 'xl' }} maw={1440} w="100%">
      <title>{`${title} · Tintype`}</title>
      <Group justify="space-between" mb="lg" gap="sm">
        <Group gap={4} wrap="nowrap" miw={0}>
          <Title order={1} size="h2" className={classes.title ?? ''}>
            {title}
          </Title>
          {docs !== undefined && <DocsLink page={docs} about={title} />}
        </Group>
        {actions && <div className={classes.actions}>{actions}</div>}
      </Group>
      {children}
    </Box>
  )
}
