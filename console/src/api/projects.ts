import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { firstThousand } from './paging.ts'

/** The newest thousand. Callers with more projects use the API. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) =>
    firstThousand(async (query) => {
      const { projects: rows, cursor } = await unwrap(api.GET('/projects', { params: { query }, signal }))
      return { rows, cursor }
    }),
  staleTime: 60_000,
})

export function createProject(name: string, description?: string) {
  return unwrap(api.POST('/projects', { body: { name, ...(description === undefined ? {} : { description }) } }))
}

/** `moveTo`: the project that gets its images and workflows. Undefined: they are deleted. */
export function deleteProject(projectId: string, moveTo: string | undefined) {
  const query = moveTo === undefined ? { contents: 'delete' as const } : { contents: 'move' as const, moveTo }
  return unwrap(api.DELETE('/projects/{projectId}', { params: { path: { projectId }, query } }))
}
