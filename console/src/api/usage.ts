import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

/** Days are written as `2026-11-21`, in UTC. Both are included. */
export const usageQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ['usage', from, to],
    queryFn: ({ signal }) => unwrap(api.GET('/usage', { params: { query: { from, to } }, signal })),
    placeholderData: keepPreviousData,
  })
