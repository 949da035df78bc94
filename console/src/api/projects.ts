import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

/** As many as one page may have; who has more finds the others by the API. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET('/projects', { params: { query: { limit: 100 } }, signal }))).projects,
  staleTime: 60_000,
})

export function createProject(name: string, description?: string) {
  return unwrap(api.POST('/projects', { body: { name, ...(description === undefined ? {} : { description }) } }))
}
