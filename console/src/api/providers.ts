import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

/** The AI providers, what their models can do and cost, and which are asked where a node names none. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => unwrap(api.GET('/providers', { signal })),
  staleTime: 60_000,
})
