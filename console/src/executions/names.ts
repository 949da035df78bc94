import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { draftsQuery } from '../api/drafts.ts'
import { workflowNamesQuery } from '../api/workflows.ts'

/** The names of workflows by their ids: published ones, and drafts that are none yet. */
export function useWorkflowNames(): ReadonlyMap<string, string> {
  const workflows = useQuery(workflowNamesQuery)
  const drafts = useInfiniteQuery(draftsQuery())
  const drafted = drafts.data?.pages.flatMap((page) => page.drafts) ?? []
  return new Map([
    ...drafted.map(({ workflowId, name }) => [workflowId, name] as const),
    ...(workflows.data ?? []).map(({ id, name }) => [id, name] as const),
  ])
}
