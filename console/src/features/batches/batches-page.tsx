import { Button, Group, Skeleton, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type Batch, batchesQuery, isOver } from '../../api/batches.ts'
import { pageAt } from '../../api/paging.ts'
import { useWorkflowNames } from '../../api/workflow-names.ts'
import { cursorSearch } from '../../ui/cursors.ts'
import { EmptyState, LoadFailed } from '../../ui/empty-state.tsx'
import { counted } from '../../ui/format.ts'
import { NewerOlder } from '../../ui/newer-older.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import classes from './batch.module.css'
import { BatchProgress, BatchStatus } from './batch-status.tsx'

const route = getRouteApi('/shell/batches')
const pageSize = 25
const pollMs = { open: 2_000, over: 15_000 }

/** The batches of the account, newest first. */
export function BatchesPage() {
  const { cursor } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery({
    ...batchesQuery(pageAt(pageSize, cursor)),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.batches.every(isOver) === false ? pollMs.open : pollMs.over),
  })
  const names = useWorkflowNames(data?.batches.map(({ workflowId }) => workflowId) ?? [])
  return (
    <Page title="Batches" docs="process-many-images">
      {error !== null && data === undefined ? (
        <LoadFailed error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={160} />
      ) : data.batches.length === 0 ? (
        <EmptyState
          title="No batches yet"
          actions={
            <Button component={Link} to="/workflows">
              Go to workflows
            </Button>
          }
        >
          A batch runs a workflow for each row of a CSV file. Open the Run tab of a workflow, and choose a file there.
        </EmptyState>
      ) : (
        <>
          <Batches batches={data.batches} names={names} />
          <NewerOlder
            cursor={cursor}
            next={data.cursor}
            onTurn={(next) => void navigate({ search: cursorSearch(next) })}
          />
        </>
      )}
    </Page>
  )
}

function Batches({ batches, names }: { batches: readonly Batch[]; names: ReadonlyMap<string, string> }) {
  return (
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Batch</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th className={classes.wide ?? ''}>Progress</Table.Th>
          <Table.Th className={classes.wide ?? ''}>Created</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {batches.map((batch) => (
          <Table.Tr key={batch.id}>
            <Table.Td>
              <Link to="/batches/$batchId" params={{ batchId: batch.id }} className={classes.link ?? ''}>
                {batch.name}
              </Link>
              <Text size="xs" c="dimmed" truncate>
                {names.get(batch.workflowId) ?? batch.workflowId}, version {batch.workflowVersion} ·{' '}
                {counted(batch.counts.total, 'row')}
              </Text>
            </Table.Td>
            <Table.Td>
              <Group gap={6}>
                <BatchStatus batch={batch} />
                {batch.counts.failed > 0 && (
                  <Text size="xs" c="red">
                    {batch.counts.failed} failed
                  </Text>
                )}
              </Group>
            </Table.Td>
            <Table.Td className={classes.wide ?? ''}>
              <BatchProgress batch={batch} />
            </Table.Td>
            <Table.Td className={classes.wide ?? ''}>
              <RelativeTime at={batch.createdAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
