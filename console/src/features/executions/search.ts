/** The URL parameters of the executions page. */
import type { ExecutionStatus } from '../../api/types.ts'
import { type CursorSearch, cursorSearch } from '../../ui/cursors.ts'

export const statuses: readonly ExecutionStatus[] = ['pending', 'running', 'completed', 'failed']
export const ranges = { hour: 3600, day: 86_400, week: 604_800, month: 2_592_000 } as const
export type Range = keyof typeof ranges

export interface ExecutionsSearch extends CursorSearch {
  status?: ExecutionStatus
  /** The id of a workflow. */
  workflowId?: string
  /** Created within this time. */
  range?: Range
  /** Start of the range in milliseconds, to which the cursor belongs. */
  since?: number
}

export function executionsSearch({
  status,
  workflowId,
  range,
  since,
  cursor,
}: Record<string, unknown>): ExecutionsSearch {
  return {
    ...(statuses.includes(status as ExecutionStatus) ? { status: status as ExecutionStatus } : {}),
    ...(typeof workflowId === 'string' ? { workflowId } : {}),
    ...(typeof range === 'string' && Object.hasOwn(ranges, range) ? { range: range as Range } : {}),
    ...(Number.isSafeInteger(since) ? { since: Number(since) } : {}),
    ...cursorSearch(cursor),
  }
}
