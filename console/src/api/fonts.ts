import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

/** The fonts that the account uploaded. */
export const fontsQuery = queryOptions({
  queryKey: ['fonts'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/fonts', { params: { query: { limit: 100 } }, signal }))).fonts,
  staleTime: 60_000,
})
