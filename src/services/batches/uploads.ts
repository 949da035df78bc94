/**
 * Uploads of the rows of a batch. The file waits on the disk for its turn, because a client can send it slowly. Then it is read as a stream, checked
 * row by row, and stored in pieces.
 */
import { createReadStream } from 'node:fs'
import type { QuotaStore } from '../../domain/accounts/quota.ts'
import { atMostEvery } from '../../domain/at-most-every.ts'
import type { BatchState } from '../../domain/batches/batch.ts'
import type { BatchItemStore, BatchRows } from '../../domain/batches/batch-item.ts'
import type { Clock } from '../../domain/clock.ts'
import type { DiskSpace } from '../../domain/disk-space.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import type { BlobStore } from '../../domain/images/image.ts'
import type { CheckedWorkflow } from '../../engine/check/checked-workflow.ts'
import { Fault, type Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { RequestParameters } from '../executions/request-parameters.ts'
import { unlessDisconnected } from '../images/unless-disconnected.ts'
import { forRequest, type VersionCache } from '../workflows/version-cache.ts'
import type { Batches } from './batches.ts'
import { createFileProblems, type FileProblems } from './file-problem.ts'
import { arrayExpected } from './json-rows.ts'
import { refused } from './refused.ts'
import { type BatchFormat, type ReadRow, readRows } from './row-reader.ts'

export interface BatchUploads {
  /**
   * Replaces the rows of a batch that was not started. Throws `invalid_request` with the problems by line, and the batch has its former rows
   * then: also if the client disconnects.
   */
  replace(accountId: string, id: string, uploaded: UploadedRows): Promise<BatchState>
}

export interface UploadedRows {
  format: BatchFormat
  body: AsyncIterable<Uint8Array>
  /** The client has gone. */
  signal: AbortSignal
}

interface Dependencies {
  batches: Pick<Batches, 'find'>
  items: Pick<BatchItemStore, 'beginUpload' | 'add' | 'renewUpload' | 'endUpload' | 'abandonUpload'>
  versionCache: Pick<VersionCache, 'get'>
  requestParameters: Pick<RequestParameters, 'rowIssues'>
  blobs: Pick<BlobStore, 'stage'>
  quotas: Pick<QuotaStore, 'require'>
  disk: DiskSpace
  clock: Clock
  /** Receives an error of the renewal of an upload, once a minute. It is tried again before the upload is lost. */
  onUnrenewed(error: unknown): void
}

const retrySeconds = 5
const renewMs = (limits.batchUploadSeconds * 1_000) / 3
/** One more than a file may have, so that the error can name the line. */
const tooManyBytes = limits.batchUploadBytesMax + 1
/** Rows that are written together, in one transaction. */
const rowsAtOnce = 1_000
/** Some 10 ms of SQLite. */
const charsAtOnce = 262_144
/** Rows that are checked together: one query looks up their images. */
const checksAtOnce = 50

export function createBatchUploads(dependencies: Dependencies): BatchUploads {
  const { batches, items, versionCache, blobs, quotas, disk, clock } = dependencies
  const reportUnrenewed = atMostEvery(60_000, dependencies.onUnrenewed)
  /** The accounts that upload to this process. */
  const uploading = new Set<string>()
  const queue = createFairQueue({ slots: limits.batchUploadsMax, perAccount: 1 })

  function enter(accountId: string): void {
    if (uploading.has(accountId)) {
      const message = `The account uploads another file at the moment. Retry in ${retrySeconds} s.`
      throw new Fault('rate_limited', message, { limit: 1, retryAfterSeconds: retrySeconds })
    }
    uploading.add(accountId)
  }

  const times = () => ({ now: clock.now(), until: clock.now() + limits.batchUploadSeconds * 1_000 })

  async function begin({ accountId, id }: BatchState): Promise<BatchRows> {
    const upload = await items.beginUpload(id, times())
    if (upload !== undefined) return { id, upload }
    const { isUploading } = requireCreated(await batches.find(accountId, id))
    const message = `The rows of batch "${id}" are being uploaded by another request. Retry when it has ended.`
    throw new Fault('rate_limited', message, { limit: 1, retryAfterSeconds: isUploading ? retrySeconds : 1 })
  }

  async function store(batch: BatchState, rows: BatchRows, { format, body, signal }: UploadedRows): Promise<number> {
    const { defaults } = batch
    const workflow = await forRequest(versionCache.get(batch))
    const problems = createFileProblems(format === 'json' ? 'row' : 'line')
    const writer = createWriter(rows, items, () => times().until)
    const check = createRowCheck(batch, workflow, dependencies)
    let count = 0
    try {
      const all = readRows(format, body, { declarations: workflow.parameters, defaults, problems })
      for await (const some of piecesOf(all, checksAtOnce)) {
        signal.throwIfAborted()
        count += some.length
        await check(some, problems)
        if (problems.count === 0) await writer.write(some)
      }
    } catch (error) {
      problems.end(error)
    }
    if (count === 0 && problems.count === 0) problems.add(1, '', noRows(format))
    if (problems.count > 0) throw problems.toFault(count)
    await writer.flush()
    return count
  }

  return {
    async replace(accountId, id, { format, body, signal }) {
      const batch = requireCreated(await batches.find(accountId, id))
      await disk.require()
      await quotas.require(accountId, ['storageBytes'], clock.now())
      enter(accountId)
      try {
        const rows = await begin(batch)
        const renewing = setInterval(() => void items.renewUpload(rows, times().until).catch(reportUnrenewed), renewMs)
        try {
          const file = await blobs.stage(upTo(tooManyBytes, body), { bytesMax: tooManyBytes })
          const read = () => store(batch, rows, { format, body: createReadStream(file.path), signal })
          const reading = queue.run({ account: accountId, signal }, read).finally(() => file.discard())
          const total = await unlessDisconnected(reading, signal)
          if (!(await items.endUpload(rows, total))) throw lost(id)
        } catch (error) {
          await items.abandonUpload(rows)
          throw error
        } finally {
          clearInterval(renewing)
        }
        return await batches.find(accountId, id)
      } finally {
        uploading.delete(accountId)
      }
    },
  }
}

async function* upTo(bytesMax: number, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let left = bytesMax
  for await (const chunk of source) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}

function requireCreated(batch: BatchState): BatchState {
  if (batch.status === 'created') return batch
  throw refused(
    `Batch "${batch.id}" is ${batch.status}, and its rows can't be replaced any more. Create another batch.`,
  )
}

function lost(id: string): Fault {
  return refused(`The upload of batch "${id}" was ended: it was started, deleted or uploaded again meanwhile.`)
}

function noRows(format: BatchFormat): string {
  if (format === 'json') return `is missing: ${arrayExpected}`
  return format === 'csv'
    ? 'is the header, and no row follows. Add at least one row.'
    : 'is missing: the file is empty. It must have one JSON object on each line.'
}

/** Adds the problems of rows to `problems`. */
function createRowCheck(
  { accountId, defaults, brand }: BatchState,
  workflow: CheckedWorkflow,
  { requestParameters }: Dependencies,
) {
  const planning = { msLeft: limits.batchPlanSeconds * 1_000 }
  return async (rows: readonly ReadRow[], problems: FileProblems) => {
    const passed = rows.map(({ parameters }) => ({ ...defaults, ...parameters }))
    const found = await requestParameters.rowIssues(accountId, workflow, passed, { planning, brand })
    for (const [i, { line }] of rows.entries())
      for (const issue of found[i] ?? []) problems.add(line, columnOf(issue), issue.message)
  }
}

/** The parameter, or the place in the workflow that its value doesn't fit. */
function columnOf({ path }: Issue): string {
  return path.replace(/^parameters\./, '')
}

function createWriter(rows: BatchRows, items: Pick<BatchItemStore, 'add'>, until: () => number) {
  let waiting: ReadRow[] = []
  let chars = 0
  let firstRow = 1
  async function flush(): Promise<void> {
    if (waiting.length === 0) return
    if (!(await items.add(rows, firstRow, waiting, until()))) throw lost(rows.id)
    firstRow += waiting.length
    waiting = []
    chars = 0
  }
  return {
    flush,
    async write(some: readonly ReadRow[]): Promise<void> {
      for (const row of some) {
        waiting.push(row)
        chars += JSON.stringify(row.parameters).length
        if (waiting.length >= rowsAtOnce || chars >= charsAtOnce) await flush()
      }
    },
  }
}

async function* piecesOf<Item>(all: AsyncIterable<Item>, size: number): AsyncGenerator<Item[], void> {
  let piece: Item[] = []
  for await (const item of all) {
    piece.push(item)
    if (piece.length < size) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}
