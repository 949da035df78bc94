/** The results of a batch as streams: CSV, NDJSON, and a ZIP file of the images. */
import { makeZip } from 'client-zip'
import { stringify } from 'csv-stringify/sync'
import type { BatchState } from '../../domain/batch.ts'
import type { BatchItem, BatchItemStatus, BatchItemStore } from '../../domain/batch-item.ts'
import { blobKeyOf } from '../../domain/blob-key.ts'
import { BlobMissing, type BlobStore, imageFormats } from '../../domain/image.ts'
import type { WorkflowStore } from '../../domain/workflow.ts'
import type { ImageUrls } from '../image-urls.ts'
import { createFileNames } from './file-names.ts'

export interface BatchResults {
  /** The rows in their order; of one status if it is given. */
  items(batch: BatchState, status?: BatchItemStatus): AsyncIterable<BatchItem>
  /** Cells are escaped, so that no spreadsheet runs them as formulas. */
  csv(batch: BatchState, urls: ImageUrls, status?: BatchItemStatus): AsyncIterable<Uint8Array>
  /** The images of the completed rows, named by their keys and outputs, and `results.csv`. Not compressed: images don't get smaller. */
  zip(batch: BatchState, urls: ImageUrls): AsyncIterable<Uint8Array>
}

interface Dependencies {
  items: Pick<BatchItemStore, 'readAfter'>
  workflows: Pick<WorkflowStore, 'findVersion'>
  blobs: Pick<BlobStore, 'open'>
}

const rowsAtOnce = 500
/** Images that are opened before they are needed: with S3 this takes a request each. */
const imagesAhead = 4

export function createBatchResults({ items: store, workflows, blobs }: Dependencies): BatchResults {
  async function* pages(batch: BatchState, status?: BatchItemStatus): AsyncGenerator<BatchItem[], void> {
    for (let last = 0; ; ) {
      const rows = await store.readAfter(batch, last, rowsAtOnce)
      yield rows.filter((each) => status === undefined || each.status === status)
      const end = rows.at(-1)
      if (end === undefined || end.row >= batch.total) return
      last = end.row
    }
  }

  async function* items(batch: BatchState, status?: BatchItemStatus): AsyncGenerator<BatchItem, void> {
    for await (const page of pages(batch, status)) yield* page
  }

  async function* csv(batch: BatchState, urls: ImageUrls, status?: BatchItemStatus): AsyncGenerator<Uint8Array, void> {
    const version = await workflows.findVersion(batch.workflowId, batch.workflowVersion)
    const names = (version?.document.parameters ?? []).map(({ name }) => name)
    yield csvOf([[...columns, ...names.map((name) => `parameters.${name}`)]])
    for await (const page of pages(batch, status)) {
      yield* inPieces(page.map((item) => () => cellsOf(item, batch, names, urls)))
    }
  }

  function cellsOf(item: BatchItem, { defaults }: BatchState, names: readonly string[], urls: ImageUrls): string[] {
    const { key, status, executionId, output, error } = item
    const facts = output === null ? [] : [output.imageId, urls.url({ id: output.imageId, format: output.format })]
    const size = output === null ? [] : [output.width, output.height, output.format]
    const problem = error === null ? [] : [error.details.reason ?? error.code, error.message]
    const fill = (values: unknown[], count: number) => Array.from({ length: count }, (_, i) => textOf(values[i]))
    const parameters = { ...defaults, ...item.parameters } as Record<string, unknown>
    return [
      ...[key, status, executionId ?? ''],
      ...[...fill(facts, 2), ...fill(size, 3), ...fill(problem, 2)],
      ...names.map((name) => textOf(parameters[name])),
    ]
  }

  async function* filesOf(batch: BatchState, urls: ImageUrls) {
    const nameOf = createFileNames(['results.csv'])
    const files = (async function* () {
      for await (const item of items(batch, 'completed')) yield* imagesOf(item)
    })()
    const opened = ahead(files, imagesAhead, async ({ row, base, imageId: id, format }) => {
      const name = nameOf(base, imageFormats[format].extension, row)
      return { name, input: await blobs.open(blobKeyOf({ id, format })).catch(missing) }
    })
    const lastModified = new Date(batch.completedAt ?? batch.createdAt)
    for await (const { name, input } of opened) if (input !== undefined) yield { name, input, lastModified }
    yield { name: 'results.csv', input: csv(batch, urls), lastModified }
  }

  return {
    items,
    csv,
    zip: (batch, urls) =>
      makeZip(filesOf(batch, urls) as never, { buffersAreUTF8: true }) as unknown as AsyncIterable<Uint8Array>,
  }
}

/** The primary output, and the files of the others. `base`: the name of the file. */
function* imagesOf({ row, key, output, outputs = [] }: BatchItem) {
  if (output !== null) yield { row, base: key, imageId: output.imageId, format: output.format }
  for (const { name, files, ...file } of outputs) {
    for (const { imageId, format, width } of files ?? [file]) {
      yield { row, base: files === undefined ? `${key}-${name}` : `${key}-${name}-${width}`, imageId, format }
    }
  }
}

const columns = ['key', 'status', 'executionId', 'imageId', 'url', 'width', 'height', 'format', 'reason', 'message']

/** Of a piece of the file: between two pieces, other requests have their turn. */
const pieceCharsMin = 131_072

function* inPieces(rows: readonly (() => string[])[]): Generator<Buffer, void> {
  let records: string[][] = []
  let chars = 0
  for (const cellsOf of rows) {
    const cells = cellsOf()
    records.push(cells)
    chars += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (chars < pieceCharsMin) continue
    yield csvOf(records)
    records = []
    chars = 0
  }
  if (records.length > 0) yield csvOf(records)
}

function csvOf(records: string[][]): Buffer {
  return Buffer.from(stringify(records, { escape_formulas: true, record_delimiter: '\r\n' }))
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The image was deleted. */
function missing(error: unknown): undefined {
  if (!(error instanceof BlobMissing)) throw error
}

/** The results of `work` in the order of the items, `count` of them at the same time. */
async function* ahead<Item, Result extends { input: AsyncIterable<unknown> | undefined }>(
  all: AsyncIterable<Item>,
  count: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const started: Promise<Result>[] = []
  try {
    for await (const item of all) {
      const result = work(item)
      // It is awaited later.
      result.catch(() => undefined)
      started.push(result)
      if (started.length >= count) yield await (started.shift() as Promise<Result>)
    }
    for (let next = started.shift(); next; next = started.shift()) yield await next
  } finally {
    // The client has gone: what was opened is closed.
    for (const each of started)
      void each.then(({ input }) => input?.[Symbol.asyncIterator]().return?.(undefined)).catch(() => undefined)
  }
}
