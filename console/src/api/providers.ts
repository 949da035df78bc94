import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

/** The AI providers, the capabilities and prices of their models, and the default models. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => unwrap(api.GET('/providers', { signal })),
  staleTime: 60_000,
})
