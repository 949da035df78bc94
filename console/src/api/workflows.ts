/** Workflows: the list, the documents of all versions, and actions. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, hasStatus, unwrap } from './client.ts'
import { byCursor, pageAt, pageSizeMax, withoutUndefined } from './paging.ts'
import type { Schemas, Validation, WorkflowDetail } from './types.ts'
import type { WorkflowDocument } from './workflow-document.ts'

export interface WorkflowFilter {
  projectId?: string | undefined
  /** A part of the name. */
  search?: string | undefined
}

const pageSize = 24
const versionsPageSize = 50

/** Newest first, with the last output of each. */
export const workflowsQuery = (filter: WorkflowFilter = {}) =>
  infiniteQueryOptions({
    queryKey: ['workflows', filter],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET('/workflows', {
          params: { query: { ...withoutUndefined(filter), include: 'lastOutput', ...pageAt(pageSize, pageParam) } },
          signal,
        }),
      ),
    ...byCursor,
  })

/** The newest hundred, for lists of names. With `search`: only names that contain it. */
export const workflowNamesQuery = (search?: string) =>
  queryOptions({
    queryKey: ['workflows', 'names', search],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/workflows', { params: { query: withoutUndefined({ limit: pageSizeMax, search }) }, signal })),
  })

/** The newest workflows, for nodes that use them. With `search`: only those whose names contain it. */
export const usableWorkflowsQuery = (search: string) =>
  queryOptions({
    queryKey: ['workflows', 'usable', search],
    async queryFn({ signal }) {
      // The API includes one of both.
      const read = (include: 'version' | 'lastOutput') => {
        const query = { include, limit: pageSize, ...(search === '' ? {} : { search }) }
        return unwrap(api.GET('/workflows', { params: { query }, signal }))
      }
      const [page, { workflows: withOutput }] = await Promise.all([read('version'), read('lastOutput')])
      const outputs = new Map(withOutput.map(({ id, lastOutput }) => [id, lastOutput]))
      const workflows = page.workflows.map((workflow) => {
        const lastOutput = outputs.get(workflow.id)
        return lastOutput === undefined ? workflow : { ...workflow, lastOutput }
      })
      return { ...page, workflows }
    },
  })

/** A workflow; null if it does not exist or was never published. */
export const workflowQuery = (workflowId: string) =>
  queryOptions({
    queryKey: ['workflow', workflowId, 'detail'],
    queryFn: async ({ signal }): Promise<WorkflowDetail | null> => {
      try {
        return await unwrap(api.GET('/workflows/{workflowId}', { params: { path: { workflowId } }, signal }))
      } catch (error) {
        if (hasStatus(error, 404)) return null
        throw error
      }
    },
  })

/** The newest document, or the document of a version, which never changes. */
export const documentQuery = (workflowId: string, version?: number) =>
  queryOptions({
    queryKey: ['workflow', workflowId, 'document', version ?? 'newest'],
    queryFn: async ({ signal }) =>
      (await unwrap(
        api.GET('/workflows/{workflowId}/document', {
          params: { path: { workflowId }, query: withoutUndefined({ version }) },
          signal,
        }),
      )) as WorkflowDocument,
    ...(version === undefined ? {} : { staleTime: Number.POSITIVE_INFINITY }),
  })

/** A workflow that a node uses, in the version that the node names. */
export interface UsedWorkflow {
  /** Name as in the document: `link-card@7`. */
  name: string
  detail: WorkflowDetail
  newestVersion: number
  /** The node of its primary output. */
  outputNode?: string | undefined
}

/** Used workflows that exist, each also in its newest version. `names`: as in a document. */
export const usedWorkflowsQuery = (names: readonly string[]) =>
  queryOptions({
    queryKey: ['used-workflows', ...names],
    queryFn: async ({ signal }): Promise<UsedWorkflow[]> =>
      (await Promise.all(names.map((name) => findUsed(name, signal)))).flat(),
    staleTime: 0,
  })

/** The workflow of a node, by its name in documents. Throws if it doesn't exist. */
export async function usedWorkflow(name: string): Promise<UsedWorkflow> {
  const [used] = await findUsed(name)
  if (used === undefined) throw new Error(`The workflow ${name} was deleted in the meantime.`)
  return used
}

async function findUsed(name: string, signal?: AbortSignal): Promise<UsedWorkflow[]> {
  const [workflowId = '', version = ''] = name.split('@')
  const request = { params: { path: { workflowId } }, ...(signal && { signal }) }
  const detailOf = (query: { version?: number }) =>
    unwrap(api.GET('/workflows/{workflowId}', { ...request, params: { ...request.params, query } }))
  const outputNodeOf = async (query: { version: number }) => {
    const document = await unwrap(
      api.GET('/workflows/{workflowId}/document', { ...request, params: { ...request.params, query } }),
    )
    return (document as WorkflowDocument).output?.node
  }
  try {
    const usedVersion = { version: Number(version) }
    const [detail, newest, outputNode] = await Promise.all([
      detailOf(usedVersion),
      detailOf({}),
      outputNodeOf(usedVersion),
    ])
    const newestVersion = newest.version ?? usedVersion.version
    const used = { name, detail, newestVersion, outputNode }
    if (newestVersion === usedVersion.version) return [used]
    const newestName = `${workflowId}@${newestVersion}`
    const newestOutput = await outputNodeOf({ version: newestVersion })
    return [used, { name: newestName, detail: newest, newestVersion, outputNode: newestOutput }]
  } catch (error) {
    // The validation reports it at the node.
    if (hasStatus(error, 404) || hasStatus(error, 400)) return []
    throw error
  }
}

/** Newest first. */
export const versionsQuery = (workflowId: string) =>
  infiniteQueryOptions({
    queryKey: ['workflow', workflowId, 'versions'],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET('/workflows/{workflowId}/versions', {
          params: { path: { workflowId }, query: pageAt(versionsPageSize, pageParam) },
          signal,
        }),
      ),
    ...byCursor,
  })

interface ValidateOptions {
  parameters?: Record<string, unknown>
  /** The project whose brand values the templates read. */
  projectId?: string | undefined
  /** The workflow whose random results are reused, if `variations` is set. */
  workflowId?: string
  variations?: Record<string, string>
  signal?: AbortSignal
}

/** Issues of a document, and a forecast of its execution. Also succeeds for an invalid document. */
export function validateDocument(
  document: WorkflowDocument,
  { signal, ...options }: ValidateOptions = {},
): Promise<Validation> {
  return unwrap(
    api.POST('/workflows/validate', {
      body: { document, ...withoutUndefined(options) } as never,
      ...(signal ? { signal } : {}),
    }),
  )
}

/** Publishes a new workflow, as version 1. */
export function createWorkflow(
  document: WorkflowDocument,
  options: { slug: string; projectId?: string | undefined },
): Promise<WorkflowDetail> {
  return unwrap(api.POST('/workflows', { body: { ...document, ...withoutUndefined(options) } as never }))
}

export async function deleteWorkflow(workflowId: string): Promise<void> {
  await unwrap(api.DELETE('/workflows/{workflowId}', { params: { path: { workflowId } } }))
}

export type ComparedExample = Schemas['ComparedExample']

/**
 * Executes the workflow's examples with the published document and with `document`, and compares the images. Saves
 * nothing.
 */
export async function compareWithPublished(
  workflowId: string,
  document: WorkflowDocument,
  signal?: AbortSignal,
): Promise<ComparedExample[]> {
  const comparison = await unwrap(
    api.PUT('/workflows/{workflowId}', {
      params: { path: { workflowId }, query: { compare: 'true' } },
      body: document as never,
      ...(signal ? { signal } : {}),
    }),
  )
  return comparison.comparison?.examples ?? []
}
