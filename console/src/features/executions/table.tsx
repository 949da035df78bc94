import { Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ImageOff } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { Execution } from '../../api/types.ts'
import { dollars } from '../../ui/format.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { Elapsed } from './elapsed.tsx'
import { StatusBadge } from './status-badge.tsx'
import classes from './table.module.css'

interface Props {
  /** Undefined while they load. */
  executions: readonly Execution[] | undefined
  names: ReadonlyMap<string, string>
}

/** One row per execution. The up and down keys move between rows. */
export function ExecutionsTable({ executions, names }: Props) {
  const onKeyDown = (event: KeyboardEvent<HTMLTableSectionElement>) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')]
    const index = links.indexOf(event.target as HTMLElement)
    const next = links[index + (event.key === 'ArrowDown' ? 1 : -1)]
    if (index === -1 || next === undefined) return
    event.preventDefault()
    next.focus()
  }
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th className={classes.thumb}>
            <span className={classes.unseen}>Output</span>
          </th>
          <th>Workflow</th>
          <th>Status</th>
          <th data-wide>Started</th>
          <th data-number>Duration</th>
          <th data-number data-wide>
            Cost
          </th>
        </tr>
      </thead>
      <tbody onKeyDown={onKeyDown}>
        {executions?.map((execution) => (
          <Row key={execution.executionId} execution={execution} name={names.get(execution.workflowId)} />
        )) ?? <SkeletonRows />}
      </tbody>
    </table>
  )
}

function Row({ execution, name }: { execution: Execution; name: string | undefined }) {
  const { executionId, workflowId, status, error, createdAt, cost, output, workflowVersion, draft, node } = execution
  const source = draft ? (node === undefined ? 'draft' : `draft, to ${node}`) : `version ${workflowVersion}`
  return (
    <tr>
      <td className={classes.thumb}>
        {output === undefined ? (
          <span className={classes.noImage}>{status === 'failed' && <ImageOff size={16} aria-hidden />}</span>
        ) : (
          <Thumbnail url={output.url} thumbnailUrl={output.thumbnailUrl} alt="" />
        )}
      </td>
      <td>
        <Link to="/executions/$executionId" params={{ executionId }} className={classes.link ?? ''}>
          {name ?? workflowId}
        </Link>
        <Text size="xs" c="dimmed" truncate>
          {createdAt !== undefined && (
            <span className={classes.narrow}>
              <RelativeTime at={createdAt} />
              {' · '}
            </span>
          )}
          {source}
          {error && error.details.reason !== 'cancelled' && (
            <Text span c="red" inherit>
              {' · '}
              {error.message}
            </Text>
          )}
        </Text>
      </td>
      <td>
        <StatusBadge status={status} reason={error?.details.reason} />
      </td>
      <td data-wide>{createdAt !== undefined && <RelativeTime at={createdAt} />}</td>
      <td data-number>
        <Elapsed execution={execution} />
      </td>
      <td data-number data-wide>
        {cost === undefined ? '' : `${cost.unknown ? '≤ ' : ''}${dollars(cost.usd)}`}
      </td>
    </tr>
  )
}

function SkeletonRows() {
  return ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((rowKey) => (
    <tr key={rowKey}>
      <td className={classes.thumb}>
        <Skeleton width={56} height={42} />
      </td>
      <td>
        <Skeleton height={14} width="50%" />
      </td>
      <td>
        <Skeleton height={20} width={96} radius="xl" />
      </td>
      <td data-wide />
      <td />
      <td data-wide />
    </tr>
  ))
}
