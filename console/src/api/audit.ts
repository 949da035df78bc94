/** The audit log of the account. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { withoutUndefined } from './paging.ts'
import type { Schemas } from './types.ts'

export type AuditEntry = Schemas['AuditEntry']

export interface AuditFilter {
  action?: AuditEntry['action'] | undefined
  subject?: string | undefined
}

const pageSize = 50

/** One page, newest first. `page` is from 1. */
export const auditQuery = (filter: AuditFilter, page: number) =>
  queryOptions({
    queryKey: ['audit', filter, page],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/audit', {
          params: { query: { ...withoutUndefined(filter), limit: pageSize, offset: (page - 1) * pageSize } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })

/** The address of the CSV file with all matching entries. */
export function auditCsvUrl(filter: AuditFilter): string {
  const query = new URLSearchParams(withoutUndefined(filter) as Record<string, string>).toString()
  return `/v1/audit.csv${query === '' ? '' : `?${query}`}`
}
