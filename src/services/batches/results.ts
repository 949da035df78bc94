/** The results of a batch as streams: CSV, NDJSON, and a ZIP file of the images. */
import { makeZip } from 'client-zip'
import type { BatchState } from '../../domain/batches/batch.ts'
import type { BatchItem, BatchItemStatus, BatchItemStore } from '../../domain/batches/batch-item.ts'
import { blobKeyOf } from '../../domain/blob-key.ts'
import { BlobMissing, type BlobStore, imageFormats } from '../../domain/images/image.ts'
import type { WorkflowDocument, WorkflowStore } from '../../domain/workflows/workflow.ts'
import { invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { csvOf, inPieces, textOf } from '../csv.ts'
import type { EventStreams } from '../event-streams.ts'
import type { ImageUrls } from '../images/image-urls.ts'
import { createFileNames } from './file-names.ts'

export interface BatchResults {
  /** The rows in their order; of one status if it is given. */
  items(batch: BatchState, status?: BatchItemStatus): AsyncIterable<BatchItem>
  /** Cells are escaped, so that no spreadsheet runs them as formulas. */
  csv(batch: BatchState, urls: ImageUrls, status?: BatchItemStatus): AsyncIterable<Uint8Array>
  /**
   * The images of the completed rows, named by their keys and outputs, and `results.csv`. Not compressed: images don't get smaller. Throws
   * `invalid_request` if the rows can have more files than the directory of the ZIP file may have.
   */
  zip(batch: BatchState, options: ZipOptions): Promise<AsyncIterable<Uint8Array>>
  /** Ranges of rows that `zip` accepts, in the order of the file. One range if all images fit into one file, none without rows. */
  zipParts(batch: BatchState): Promise<ZipPart[]>
}

/** Numbers of rows, both included. */
export interface ZipPart {
  fromRow: number
  toRow: number
}

export interface ZipOptions {
  urls: ImageUrls
  /** Only these rows. */
  rows?: RowRange
  signal: AbortSignal
}

/** Numbers of rows, both included. */
interface RowRange {
  from?: number | undefined
  to?: number | undefined
}

interface Selection extends RowRange {
  status?: BatchItemStatus | undefined
}

interface Dependencies {
  items: Pick<BatchItemStore, 'readAfter'>
  workflows: Pick<WorkflowStore, 'findVersion'>
  blobs: Pick<BlobStore, 'open'>
  /** The ZIP files that are sent at the moment. */
  zips: EventStreams
}

const rowsAtOnce = 500
/** Images that are opened before they are needed: with S3 this takes a request each. */
const imagesAhead = 4

export function createBatchResults({ items: store, workflows, blobs, zips }: Dependencies): BatchResults {
  async function* pages(
    batch: BatchState,
    { status, from = 1, to = batch.total }: Selection,
  ): AsyncGenerator<BatchItem[], void> {
    for (let last = from - 1; last < to; ) {
      const rows = await store.readAfter(batch, last, Math.min(rowsAtOnce, to - last))
      yield rows.filter((item) => status === undefined || item.status === status)
      const end = rows.at(-1)
      if (end === undefined) return
      last = end.row
    }
  }

  async function* itemsOf(batch: BatchState, selection: Selection): AsyncGenerator<BatchItem, void> {
    for await (const page of pages(batch, selection)) yield* page
  }

  async function documentOf({ workflowId, workflowVersion }: BatchState): Promise<WorkflowDocument | undefined> {
    return (await workflows.findVersion(workflowId, workflowVersion))?.document
  }

  async function* csvOfRows(
    batch: BatchState,
    urls: ImageUrls,
    selection: Selection,
  ): AsyncGenerator<Uint8Array, void> {
    const names = ((await documentOf(batch))?.parameters ?? []).map(({ name }) => name)
    yield await csvOf([[...columns, ...names.map((name) => `parameters.${name}`)]])
    for await (const page of pages(batch, selection)) {
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

  async function* filesOf(batch: BatchState, urls: ImageUrls, rows: RowRange) {
    const nameOf = createFileNames(['results.csv'])
    const files = (async function* () {
      for await (const item of itemsOf(batch, { ...rows, status: 'completed' })) yield* imagesOf(item)
    })()
    const opened = ahead(files, imagesAhead, async ({ row, base, imageId: id, format }) => {
      const name = nameOf(base, imageFormats[format].extension, row)
      return { name, input: await blobs.open(blobKeyOf({ id, format })).catch(missing) }
    })
    const lastModified = new Date(batch.completedAt ?? batch.createdAt)
    for await (const { name, input } of opened) if (input !== undefined) yield { name, input, lastModified }
    yield { name: 'results.csv', input: csvOfRows(batch, urls, rows), lastModified }
  }

  return {
    items: (batch, status) => itemsOf(batch, { status }),
    csv: (batch, urls, status) => csvOfRows(batch, urls, { status }),

    async zip(batch, { urls, rows = {}, signal }) {
      requireFewFiles(batch, rows, filesOfRow(await documentOf(batch)))
      const leave = zips.enter(batch.accountId, signal)
      return leaving(() => makeZip(filesOf(batch, urls, rows) as never, { buffersAreUTF8: true }), leave)
    },

    async zipParts(batch) {
      const { total, counts } = batch
      const filesPerRow = filesOfRow(await documentOf(batch))
      const rows = counts.completed * filesPerRow <= limits.batchZipFilesMax ? total : rowsOfZip(filesPerRow)
      return Array.from({ length: Math.ceil(total / rows) || 0 }, (_, i) => ({
        fromRow: i * rows + 1,
        toRow: Math.min((i + 1) * rows, total),
      }))
    },
  }
}

/** The most files of a row. */
function filesOfRow(document: WorkflowDocument | undefined): number {
  const outputs = Object.values(document?.outputs ?? {})
  // A template can render any number.
  const countOf = (values: unknown) =>
    Array.isArray(values) ? values.length : values === undefined ? 1 : Number.POSITIVE_INFINITY
  const count = outputs.reduce((sum, { widths, formats }) => sum + countOf(widths) * countOf(formats), 1)
  return Math.min(count, limits.outputFilesMax)
}

function requireFewFiles(
  { id, total, counts }: BatchState,
  { from = 1, to = total }: RowRange,
  filesPerRow: number,
): void {
  const rows = Math.min(counts.completed, Math.min(to, total) - from + 1)
  if (rows * filesPerRow <= limits.batchZipFilesMax) return
  const message = `must select at most ${rowsOfZip(filesPerRow)} rows with "fromRow" and "toRow": ${rows} rows of batch "${id}" can have ${rows * filesPerRow} files, and a ZIP file has at most ${limits.batchZipFilesMax}. GET /batches/${id}/results lists the parts. The results as CSV and NDJSON have the URLs of all images.`
  throw invalidRequest([{ path: 'toRow', message }])
}

/** The most rows whose files are certain to fit. */
function rowsOfZip(filesPerRow: number): number {
  return Math.floor(limits.batchZipFilesMax / filesPerRow)
}

async function* leaving(open: () => ReadableStream<Uint8Array>, leave: () => void): AsyncGenerator<Uint8Array, void> {
  try {
    yield* open()
  } finally {
    leave()
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
    for (const result of started)
      void result.then(({ input }) => input?.[Symbol.asyncIterator]().return?.(undefined)).catch(() => undefined)
  }
}
