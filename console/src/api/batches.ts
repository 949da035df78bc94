/** Batches: the list, one batch with its rows, the upload of a file, and actions. */
import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { type pageAt, withoutUndefined } from './paging.ts'
import type { Schemas } from './types.ts'

export type Batch = Schemas['Batch']
export type BatchItem = Schemas['BatchItem']
export type ZipPart = Schemas['BatchZipPart']
export type BatchItemStatus = BatchItem['status']

/** The maximum page size of the API. */
export const itemsPageSize = 100

const pathOf = (batchId: string) => ({ params: { path: { batchId } } })

export function isOver({ status, counts }: Batch): boolean {
  return status === 'completed' || (status === 'cancelled' && counts.pending + counts.running === 0)
}

/** Newest first. */
export const batchesQuery = (page: ReturnType<typeof pageAt>) =>
  queryOptions({
    queryKey: ['batches', 'list', page],
    queryFn: ({ signal }) => unwrap(api.GET('/batches', { params: { query: page }, signal })),
  })

/**
 * The batch with its counts. When it is over, everything else of the batch is read once more: pages stop polling then, and what they
 * have can be older than the end.
 */
export const batchQuery = (batchId: string) =>
  queryOptions({
    queryKey: ['batches', batchId, 'state'],
    async queryFn({ signal, client, queryKey }) {
      const batch = await unwrap(api.GET('/batches/{batchId}', { ...pathOf(batchId), signal }))
      const before = client.getQueryData<Batch>(queryKey)
      const wasOver = before !== undefined && isOver(before) && before.completedAt === batch.completedAt
      if (isOver(batch) && !wasOver)
        void client.invalidateQueries({
          queryKey: ['batches', batchId],
          predicate: ({ queryKey: [, , part] }) => part !== 'state',
        })
      return batch
    },
  })

/** A page of rows in the order of the file. `page` from 0. */
export const batchItemsQuery = (batchId: string, status: BatchItemStatus | undefined, page: number) =>
  queryOptions({
    queryKey: ['batches', batchId, 'items', status ?? 'all', page],
    queryFn: ({ signal }) => {
      const query = { ...withoutUndefined({ status }), limit: itemsPageSize, offset: page * itemsPageSize }
      return unwrap(api.GET('/batches/{batchId}/items', { params: { path: { batchId }, query }, signal }))
    },
  })

export const estimateQuery = (batchId: string) =>
  queryOptions({
    queryKey: ['batches', batchId, 'estimate'],
    queryFn: ({ signal }) => unwrap(api.GET('/batches/{batchId}/estimate', { ...pathOf(batchId), signal })),
  })

export const resultsQuery = (batchId: string) =>
  queryOptions({
    queryKey: ['batches', batchId, 'results'],
    queryFn: ({ signal }) => unwrap(api.GET('/batches/{batchId}/results', { ...pathOf(batchId), signal })),
  })

export function createBatch(workflowId: string, name: string): Promise<Batch> {
  return unwrap(api.POST('/batches', { body: { workflowId, name } }))
}

/** Replaces the rows. A file whose name doesn't end with `.ndjson` or `.jsonl` is CSV. */
export function uploadRows(batchId: string, file: File): Promise<Batch> {
  const type = /\.(ndjson|jsonl)$/i.test(file.name) ? 'application/x-ndjson' : 'text/csv'
  return unwrap(
    api.PUT('/batches/{batchId}/items', {
      ...pathOf(batchId),
      body: file as never,
      bodySerializer: (body) => body as unknown as BodyInit,
      headers: { 'content-type': type },
    }),
  )
}

export async function startBatch(batchId: string, maxUsd: number | undefined): Promise<Batch> {
  if (maxUsd !== undefined) await unwrap(api.PATCH('/batches/{batchId}', { ...pathOf(batchId), body: { maxUsd } }))
  return (await unwrap(api.POST('/batches/{batchId}/start', pathOf(batchId)))).batch
}

export function pauseBatch(batchId: string): Promise<Batch> {
  return unwrap(api.POST('/batches/{batchId}/pause', pathOf(batchId)))
}

/** `maxUsd`: a new limit of the cost. */
export async function resumeBatch(batchId: string, maxUsd?: number): Promise<Batch> {
  if (maxUsd !== undefined) await unwrap(api.PATCH('/batches/{batchId}', { ...pathOf(batchId), body: { maxUsd } }))
  return unwrap(api.POST('/batches/{batchId}/resume', pathOf(batchId)))
}

export function cancelBatch(batchId: string): Promise<Batch> {
  return unwrap(api.POST('/batches/{batchId}/cancel', pathOf(batchId)))
}

export function deleteBatch(batchId: string) {
  return unwrap(api.DELETE('/batches/{batchId}', pathOf(batchId)))
}

export function retryRows(batchId: string, keys?: string[]) {
  return unwrap(api.POST('/batches/{batchId}/retry', { ...pathOf(batchId), body: withoutUndefined({ keys }) }))
}

export function changeRow(batchId: string, key: string, parameters: Record<string, unknown>): Promise<BatchItem> {
  return unwrap(
    api.PATCH('/batches/{batchId}/items/{key}', { params: { path: { batchId, key } }, body: { parameters } }),
  )
}

/** The path of a download on this origin. `part`: only these rows, of a ZIP file. */
export function resultsPath(batchId: string, format: 'zip' | 'csv' | 'ndjson', part?: ZipPart): string {
  const query = part === undefined ? '' : `?fromRow=${part.fromRow}&toRow=${part.toRow}`
  return `/v1/batches/${batchId}/results.${format}${query}`
}
