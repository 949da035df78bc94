import { ActionIcon, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleQuestionMark } from 'lucide-react'
import { sessionQuery } from '../api/session.ts'

/** The URL of a page of the documentation. Undefined if the service doesn't serve it. */
export function useDocsUrl(page: string): string | undefined {
  const { data: session } = useQuery(sessionQuery)
  return session?.docsUrl === undefined ? undefined : `${session.docsUrl}/${page}`
}

/** Opens a page of the documentation in a new tab. `about` is the subject, for the label. */
export function DocsLink({ page, about }: { page: string; about: string }) {
  const href = useDocsUrl(page)
  if (href === undefined) return null
  const label = `Documentation: ${about}`
  return (
    <Tooltip label={label}>
      <ActionIcon
        component="a"
        href={href}
        target="_blank"
        rel="noopener"
        variant="subtle"
        color="gray"
        size="md"
        aria-label={label}
      >
        <CircleQuestionMark size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
