import { Button, Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { VersionItem } from '../../api/types.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Side } from './search.ts'
import type { Sides } from './side.ts'
import classes from './version-list.module.css'

interface Props {
  workflowId: string
  versions: readonly VersionItem[]
  hasDraft: boolean
  sides: Sides
  isLoading: boolean
  /** Undefined on the last page. */
  onMore: (() => void) | undefined
}

/** The draft and the versions, newest first. Each links to its changes. */
export function VersionList({ workflowId, versions, hasDraft, sides, isLoading, onMore }: Props) {
  return (
    <nav aria-label="Versions" className={classes.list}>
      <ol>
        {hasDraft && (
          <Item workflowId={workflowId} side="draft" sides={sides} title="Draft">
            <Text span size="xs" c="dimmed">
              The current state of the editor, saved as you type
            </Text>
          </Item>
        )}
        {versions.map(({ version, createdAt, note }, index) => (
          <Item
            key={version}
            workflowId={workflowId}
            side={version}
            sides={sides}
            title={`Version ${version}${index === 0 ? ', published' : ''}`}
          >
            {note !== undefined && (
              <Text span size="sm" className={classes.note ?? ''}>
                {note}
              </Text>
            )}
            <Text span size="xs" c="dimmed">
              <RelativeTime at={createdAt} />
            </Text>
          </Item>
        ))}
        {isLoading && ['a', 'b', 'c'].map((key) => <Skeleton key={key} height={52} mb={4} />)}
      </ol>
      {onMore && (
        <Button variant="subtle" size="xs" fullWidth onClick={onMore}>
          Older versions
        </Button>
      )}
    </nav>
  )
}

interface ItemProps {
  workflowId: string
  side: Side
  sides: Sides
  title: string
  children: React.ReactNode
}

function Item({ workflowId, side, sides, title, children }: ItemProps) {
  const mark = sides.to === side ? 'to' : sides.from === side ? 'from' : undefined
  return (
    <li>
      <Link
        to="/workflows/$workflowId/versions"
        params={{ workflowId }}
        search={{ to: side }}
        className={classes.item ?? ''}
        data-mark={mark}
        aria-current={mark === 'to' ? 'true' : undefined}
      >
        <Text span size="sm" fw={600}>
          {title}
        </Text>
        {children}
      </Link>
    </li>
  )
}
