import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

/** The first page, with the maximum page size. Callers with more projects use the API. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET('/projects', { params: { query: { limit: 100 } }, signal }))).projects,
  staleTime: 60_000,
})

export function createProject(name: string, description?: string) {
  return unwrap(api.POST('/projects', { body: { name, ...(description === undefined ? {} : { description }) } }))
}
