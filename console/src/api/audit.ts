/** The audit log of the account. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { pageAt, withoutUndefined } from './paging.ts'
import type { Schemas } from './types.ts'

export type AuditEntry = Schemas['AuditEntry']

export interface AuditFilter {
  action?: AuditEntry['action'] | undefined
  subject?: string | undefined
}

const pageSize = 50

/** One page, newest first.  */
export const auditQuery = (filter: AuditFilter, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['audit', filter, cursor],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/audit', {
          params: { query: { ...withoutUndefined(filter), ...pageAt(pageSize, cursor) } },
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
