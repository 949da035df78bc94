import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { draftsQuery } from '../../api/drafts.ts'
import { projectsQuery } from '../../api/projects.ts'
import { workflowsQuery } from '../../api/workflows.ts'
import { entriesOf } from './entries.ts'
import type { GallerySearch, Sorting } from './search.ts'

/** The entries of the gallery, page by page. Orders that the API does not support load all pages. */
export function useEntries({ search, project, sort: sorting }: GallerySearch) {
  const sort: Sorting = sorting ?? 'newest'
  const filter = { search, projectId: project }
  const workflows = useInfiniteQuery(workflowsQuery(filter))
  const drafts = useInfiniteQuery(draftsQuery(filter))
  const projects = useQuery(projectsQuery)

  const { fetchNextPage, hasNextPage, isFetchingNextPage } = workflows
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [fetchNextPage, hasNextPage, isFetchingNextPage])
  useEffect(() => {
    if (sort !== 'newest') more()
  }, [sort, more])
  useEffect(() => {
    if (drafts.hasNextPage && !drafts.isFetchingNextPage) void drafts.fetchNextPage()
  }, [drafts])

  const entries = useMemo(
    () =>
      entriesOf({
        workflows: workflows.data?.pages.flatMap((page) => page.workflows) ?? [],
        drafts: drafts.data?.pages.flatMap((page) => page.drafts) ?? [],
        isComplete: !hasNextPage,
        sort,
      }),
    [workflows.data, drafts.data, hasNextPage, sort],
  )
  return {
    entries,
    projects: projects.data ?? [],
    more,
    isLoading: workflows.isPending || drafts.isPending || isFetchingNextPage,
    error: workflows.error ?? drafts.error,
  }
}
