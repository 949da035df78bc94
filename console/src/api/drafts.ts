/**
 * Drafts: the editable copies of workflows. The editor saves a draft while you type, and publishing makes it the next
 * version.
 */
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, hasStatus, unwrap } from './client.ts'
import { byCursor, pageAt, withoutUndefined } from './paging.ts'
import { asDocument } from './read-document.ts'
import type { Schemas, WorkflowDetail } from './types.ts'
import type { ParameterValues, WorkflowDocument } from './workflow-document.ts'

export type DraftItem = Schemas['DraftSummary']
export type Draft = Omit<Schemas['Draft'], 'document'> & { document: WorkflowDocument }

export interface DraftFilter {
  projectId?: string | undefined
  search?: string | undefined
}

const pageSize = 100

/** All drafts, newest first, including drafts of published workflows. Each has the last output of its workflow. */
export const draftsQuery = (filter: DraftFilter = {}) =>
  infiniteQueryOptions({
    queryKey: ['drafts', filter],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET('/workflows/drafts', {
          params: { query: { ...withoutUndefined(filter), include: 'lastOutput', ...pageAt(pageSize, pageParam) } },
          signal,
        }),
      ),
    ...byCursor,
  })

/** The draft of a workflow; null if there is none. */
export const draftQuery = (workflowId: string) =>
  queryOptions({
    queryKey: ['workflow', workflowId, 'draft'],
    queryFn: ({ signal }) => readDraft(workflowId, signal),
    // The open editor is the source of truth. Each editor that opens fetches the draft again.
    staleTime: 0,
    gcTime: 0,
  })

/** Like `draftQuery`, but checks first whether there is a draft: a 404 response would be counted and logged. */
export const possibleDraftQuery = (workflowId: string) =>
  queryOptions({
    ...draftQuery(workflowId),
    async queryFn({ signal }): Promise<Draft | null> {
      await saves.get(workflowId)
      const query = { workflowId, limit: 1 }
      const { total } = await unwrap(api.GET('/workflows/drafts', { params: { query }, signal }))
      return total === 0 ? null : readDraft(workflowId, signal)
    },
  })

async function readDraft(workflowId: string, signal: AbortSignal): Promise<Draft | null> {
  await saves.get(workflowId)
  try {
    return asDraft(await unwrap(api.GET('/workflows/{workflowId}/draft', { params: { path: { workflowId } }, signal })))
  } catch (error) {
    if (hasStatus(error, 404)) return null
    throw error
  }
}

/** Creates a workflow that is not published yet. */
export async function createDraft(initial: { document?: WorkflowDocument; projectId?: string } = {}): Promise<Draft> {
  const { document, ...rest } = initial
  const body = { ...rest, ...(document === undefined ? {} : { document: { ...document } }) }
  return asDraft(await unwrap(api.POST('/workflows/drafts', { body })))
}

/** The save of each workflow that is going on. An editor that is left saves while the next page reads the draft, which has to wait. */
const saves = new Map<string, Promise<unknown>>()

export interface SaveOptions {
  /** Saves only if the draft has this revision. Otherwise throws an `ApiError` with `invalid_request`. */
  ifRevision?: number
  /** The request continues after the page is closed. Browsers then limit the body to 64 KiB. */
  keepalive?: boolean
  signal?: AbortSignal
}

/** Creates the draft if the workflow has none. */
export async function saveDraft(
  workflowId: string,
  document: WorkflowDocument,
  { ifRevision, ...options }: SaveOptions = {},
): Promise<Draft> {
  const params = { path: { workflowId } }
  const headers = ifMatch(ifRevision)
  const body = { document: { ...document } }
  const saved = unwrap(api.PUT('/workflows/{workflowId}/draft', { params, headers, body, ...options }))
  const settled = saved.then(
    () => undefined,
    () => undefined,
  )
  saves.set(workflowId, settled)
  try {
    return asDraft(await saved)
  } finally {
    if (saves.get(workflowId) === settled) saves.delete(workflowId)
  }
}

export async function deleteDraft(workflowId: string): Promise<void> {
  await unwrap(api.DELETE('/workflows/{workflowId}/draft', { params: { path: { workflowId } } }))
}

export type DraftPreview = Schemas['DraftPreview']

export interface PreviewOptions {
  document: WorkflowDocument
  node: string
  parameters: ParameterValues
  variations: Record<string, string>
  /** Pixels of the longer side. */
  maxSide?: number
  quality: 'exact' | 'fast'
  /** Whether frames of texts have the places of a caret. */
  carets?: boolean
}

/** The image of a node of this document. Saves and records nothing. */
export function previewDraft(
  workflowId: string,
  { document, carets = false, ...options }: PreviewOptions,
  signal: AbortSignal,
): Promise<DraftPreview> {
  const params = { path: { workflowId } }
  const body = { ...options, carets, document: { ...document } }
  return unwrap(api.POST('/workflows/{workflowId}/draft/preview', { params, body, signal }))
}

export interface Publishing {
  note?: string
  /** Publishes even if the workflow was saved since the draft was created. */
  overwrite?: boolean
  ifRevision?: number
}

export function publishDraft(workflowId: string, { ifRevision, ...body }: Publishing = {}): Promise<WorkflowDetail> {
  const params = { path: { workflowId } }
  return unwrap(api.POST('/workflows/{workflowId}/draft/publish', { params, headers: ifMatch(ifRevision), body }))
}

/** Fetches the lists and the workflow again, after a draft was created, published or deleted. */
export async function invalidateDraft(queryClient: QueryClient, workflowId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['drafts'] }),
    queryClient.invalidateQueries({ queryKey: ['workflows'] }),
    queryClient.invalidateQueries({ queryKey: ['workflow', workflowId] }),
  ])
}

function ifMatch(revision: number | undefined): Record<string, string> {
  return revision === undefined ? {} : { 'If-Match': `"${revision}"` }
}

/** The API accepts any JSON object as a draft. A draft of another client can lack fields that the editor needs. */
function asDraft({ document, ...rest }: Schemas['Draft']): Draft {
  return { ...rest, document: asDocument({ nodes: {}, ...document }) ?? { name: rest.name, nodes: {} } }
}
