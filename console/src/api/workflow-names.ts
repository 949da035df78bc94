import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { draftsQuery } from './drafts.ts'
import { workflowNamesQuery, workflowQuery } from './workflows.ts'

/** The names of the newest workflows and drafts, and of all `ids` that still exist, by id. */
export function useWorkflowNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const newest = useQuery(workflowNamesQuery())
  const drafts = useInfiniteQuery(draftsQuery())
  const names = new Map([
    ...(drafts.data?.pages.flatMap((page) => page.drafts) ?? []).map(
      ({ workflowId, name }) => [workflowId, name] as const,
    ),
    ...(newest.data?.workflows ?? []).map(({ id, name }) => [id, name] as const),
  ])
  const missing = newest.data?.hasMore ? [...new Set(ids)].filter((id) => !names.has(id)) : []
  const found = useQueries({ queries: missing.map((id) => workflowQuery(id)) })
  for (const { data } of found) if (data) names.set(data.id, data.name)
  return names
}

/** The names of workflows that contain the text, by id. Empty if `useWorkflowNames` has all workflows. */
export function useWorkflowSearch(search: string): ReadonlyMap<string, string> {
  const newest = useQuery(workflowNamesQuery())
  const isEnabled = search !== '' && newest.data?.hasMore === true
  const found = useQuery({ ...workflowNamesQuery(search), enabled: isEnabled })
  return new Map((isEnabled ? (found.data?.workflows ?? []) : []).map(({ id, name }) => [id, name]))
}
