import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { firstThousand } from './paging.ts'

/** The fonts that the account uploaded, at most 200. */
export const fontsQuery = queryOptions({
  queryKey: ['fonts'],
  queryFn: ({ signal }) =>
    firstThousand(async (query) => {
      const { fonts: rows, cursor } = await unwrap(api.GET('/fonts', { params: { query }, signal }))
      return { rows, cursor }
    }),
  staleTime: 60_000,
})
