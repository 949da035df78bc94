import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { executionsQuery, isEnded } from '../../api/executions.ts'
import { pageAt } from '../../api/paging.ts'
import { useWorkflowNames } from '../../api/workflow-names.ts'
import { EmptyState, LoadFailed } from '../../ui/empty-state.tsx'
import { NewerOlder } from '../../ui/newer-older.tsx'
import { Page } from '../../ui/page.tsx'
import { Filters } from './filters.tsx'
import { type ExecutionsSearch, ranges } from './search.ts'
import { ExecutionsTable } from './table.tsx'

const route = getRouteApi('/shell/executions')
const pageSize = 25
/** Poll intervals while executions are open, and otherwise. A hidden page does not poll. */
const pollMs = { open: 1500, ended: 10_000 }

export function ExecutionsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { status, workflowId, range, since, cursor } = search
  const createdAfter = useMemo(
    () => (range === undefined ? undefined : new Date(since ?? Date.now() - ranges[range] * 1000).toISOString()),
    [range, since],
  )
  const filter = { status, workflowId, createdAfter }
  const { data, error, refetch } = useQuery({
    ...executionsQuery(filter, pageAt(pageSize, cursor)),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.executions.every(isEnded) === false ? pollMs.open : pollMs.ended),
  })
  const workflowIds = data?.executions.map((execution) => execution.workflowId) ?? []
  const names = useWorkflowNames(workflowId === undefined ? workflowIds : [...workflowIds, workflowId])
  const change = (part: { [Name in keyof ExecutionsSearch]?: ExecutionsSearch[Name] | undefined }) =>
    void navigate({ search: { ...search, cursor: undefined, since: undefined, ...part } as ExecutionsSearch })
  const isFiltered = status !== undefined || workflowId !== undefined || range !== undefined
  return (
    <Page title="Executions" docs="async-and-events">
      <Filters search={search} names={names} onChange={change} />
      {error !== null && data === undefined ? (
        <LoadFailed error={error} onRetry={() => void refetch()} />
      ) : data !== undefined && data.executions.length === 0 ? (
        <NoExecutions isFiltered={isFiltered} onShowAll={() => void navigate({ search: {} })} />
      ) : (
        <>
          <ExecutionsTable executions={data?.executions} names={names} />
          <NewerOlder
            cursor={cursor}
            next={data?.cursor ?? null}
            onTurn={(next) =>
              change({ cursor: next, since: next && createdAfter ? Date.parse(createdAfter) : undefined })
            }
          />
        </>
      )}
    </Page>
  )
}

function NoExecutions({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll(): void }) {
  return isFiltered ? (
    <EmptyState
      title="No executions found"
      actions={
        <Button variant="default" onClick={onShowAll}>
          Show all
        </Button>
      }
    >
      No executions match these filters.
    </EmptyState>
  ) : (
    <EmptyState
      title="No executions yet"
      actions={
        <Button component={Link} to="/workflows">
          Go to workflows
        </Button>
      }
    >
      Run a workflow from its page or over the API. Each execution appears here with its image, steps and cost.
    </EmptyState>
  )
}
