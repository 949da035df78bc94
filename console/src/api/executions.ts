/** Executions: the list, one execution with its steps, and actions. */

import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { type pageAt, withoutUndefined } from './paging.ts'
import type { Execution, ExecutionStatus } from './types.ts'
import type { ParameterValues, WorkflowDocument } from './workflow-document.ts'

export interface ExecutionFilter {
  workflowId?: string | undefined
  status?: ExecutionStatus | undefined
  /** ISO 8601: created then or later. */
  createdAfter?: string | undefined
  /** ISO 8601: created before. */
  createdBefore?: string | undefined
}

export function isEnded({ status }: Pick<Execution, 'status'>): boolean {
  return status === 'completed' || status === 'failed'
}

/** Newest first. */
export const executionsQuery = (filter: ExecutionFilter, page: ReturnType<typeof pageAt>) =>
  queryOptions({
    queryKey: ['executions', filter, page],
    queryFn: ({ signal }) => listExecutions(filter, page, signal),
  })

export function listExecutions(filter: ExecutionFilter, page: ReturnType<typeof pageAt>, signal: AbortSignal) {
  return unwrap(
    api.GET('/workflows/executions', { params: { query: { ...withoutUndefined(filter), ...page } }, signal }),
  )
}

export const executionQuery = (executionId: string) =>
  queryOptions({
    queryKey: ['execution', executionId],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/workflows/executions/{executionId}', { params: { path: { executionId } }, signal })),
  })

/** The document that an execution runs, which never changes: of a version, or the executed part of a draft. */
export const executedDocumentQuery = (executionId: string) =>
  queryOptions({
    queryKey: ['execution', executionId, 'document'],
    queryFn: async ({ signal }) =>
      (await unwrap(
        api.GET('/workflows/executions/{executionId}/document', { params: { path: { executionId } }, signal }),
      )) as WorkflowDocument,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The path of a step's preview on this origin. The absolute URLs of the API have the public address instead. */
export function stepPreviewPath(executionId: string, node: string): string {
  return `/v1/workflows/executions/${executionId}/steps/${encodeURIComponent(node)}/preview`
}

/** The path of a URL: images are loaded from the origin of the console. */
export function onThisOrigin(url: string): string {
  const { pathname, search } = new URL(url, 'http://localhost')
  return pathname + search
}

export function cancelExecution(executionId: string): Promise<Execution> {
  return unwrap(api.POST('/workflows/executions/{executionId}/cancel', { params: { path: { executionId } } }))
}

/** Starts a new execution that reuses the finished steps of the failed one. */
export async function resumeExecution(
  executionId: string,
  parameters?: ParameterValues,
): Promise<{ executionId: string }> {
  return unwrap(
    api.POST('/workflows/executions/{executionId}/resume', {
      params: { path: { executionId } },
      body: { ...withoutUndefined({ parameters }), async: true },
    }),
  )
}

interface Start {
  parameters?: ParameterValues
  previews?: boolean
}

/** Starts an execution of the newest version, or of `version`. */
export function executeWorkflow(
  workflowId: string,
  start: Start & { version?: number } = {},
): Promise<{ executionId: string }> {
  return unwrap(api.POST('/workflows/execute', { body: { workflowId, ...start, async: true } }))
}

interface DraftStart extends Start {
  node?: string
  /** Format of the image of the node. */
  format?: 'png'
  variations?: Record<string, string>
  /** Seconds. */
  expiresIn?: number
}

/** Starts an execution of the last saved draft, up to its output or up to a node. */
export function executeDraft(workflowId: string, start: DraftStart = {}): Promise<{ executionId: string }> {
  return unwrap(
    api.POST('/workflows/{workflowId}/draft/execute', {
      params: { path: { workflowId } },
      body: { ...start, async: true },
    }),
  )
}
