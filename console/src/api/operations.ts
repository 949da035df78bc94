import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import type { Operation } from './types.ts'

/** All operations. The list changes only with the version of the service. */
export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/operations', { signal }))).operations,
  staleTime: Number.POSITIVE_INFINITY,
})

export type Catalogue = ReadonlyMap<string, Operation>

export function toCatalogue(operations: readonly Operation[]): Catalogue {
  return new Map(operations.map((operation) => [operation.id, operation]))
}
