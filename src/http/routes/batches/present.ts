/** Converts batches, their rows and events to response bodies. */
import { testField } from '../../../domain/accounts/twin.ts'
import type { BatchState } from '../../../domain/batches/batch.ts'
import type { BatchItem, BatchItemPage } from '../../../domain/batches/batch-item.ts'
import { type Clock, timestamp } from '../../../domain/clock.ts'
import { dollars } from '../../../domain/money.ts'
import type { BatchEstimate } from '../../../services/batches/estimate.ts'
import type { BatchEvent } from '../../../services/batches/events.ts'
import { expectedCompletion } from '../../../services/batches/progress.ts'
import type { ImageUrls } from '../../../services/images/image-urls.ts'
import type { ServerSentEvent } from '../../response/event-stream.ts'
import { inPieces, pageInPieces } from '../../response/pieces.ts'
import { executionCost, executionOutput, executionOutputs } from '../executions/present.ts'

export function batchRecord(batch: BatchState, clock: Clock) {
  const { brand, pauseReason, maxCostMicros, counts, startedAt, completedAt } = batch
  const expected = expectedCompletion(batch, clock.now())
  const cost = executionCost(batch)
  return {
    id: batch.id,
    name: batch.name,
    status: batch.status,
    ...(pauseReason === null ? {} : { pauseReason }),
    uploading: batch.isUploading,
    workflowId: batch.workflowId,
    workflowVersion: batch.workflowVersion,
    defaults: batch.defaults,
    ...(brand === undefined ? {} : { brand }),
    ...(maxCostMicros === null ? {} : { maxUsd: dollars(maxCostMicros) }),
    counts: { total: batch.total, ...counts },
    ...(cost ? { cost } : {}),
    createdAt: timestamp(batch.createdAt),
    ...(startedAt === null ? {} : { startedAt: timestamp(startedAt) }),
    ...(completedAt === null ? {} : { completedAt: timestamp(completedAt) }),
    ...(expected === null ? {} : { expectedCompletionAt: timestamp(expected) }),
    ...testField(batch.accountId),
  }
}

export function batchItemRecord(item: BatchItem, urls: ImageUrls) {
  const { key, row, status, parameters, executionId, output, error, endedAt } = item
  return {
    key,
    row,
    status,
    parameters,
    ...(executionId === null ? {} : { executionId }),
    ...(output === null ? {} : { output: executionOutput(item, urls) }),
    ...executionOutputs(item, urls),
    ...(error === null ? {} : { error }),
    ...(endedAt === null ? {} : { endedAt: timestamp(endedAt) }),
  }
}

export function estimateRecord({ rows, sampledRows, cost, expectedDuration }: BatchEstimate) {
  const range = cost && { minUsd: dollars(cost.minMicros), maxUsd: dollars(cost.maxMicros) }
  return { rows, sampledRows, cost: range, expectedDuration }
}

export async function* batchServerSentEvents(
  parts: AsyncIterable<BatchEvent[]>,
  urls: ImageUrls,
  clock: Clock,
): AsyncGenerator<ServerSentEvent[], void> {
  for await (const part of parts) {
    yield part.map((event) => ({
      id: event.id,
      event: event.kind,
      data: event.kind === 'batch' ? batchRecord(event.batch, clock) : batchItemRecord(event.item, urls),
    }))
  }
}

/**
 * A page of rows as JSON, in pieces: the rows of one page can have as many bytes as an upload. Nothing is sent before the first rows were read, so
 * that the response is an error if they can't be.
 */
export function batchItemPage(
  parts: BatchItemPage['parts'],
  rest: object,
  urls: ImageUrls,
): AsyncGenerator<Buffer, void> {
  return pageInPieces('items', records(), rest)

  async function* records() {
    for await (const part of parts) for (const item of part) yield batchItemRecord(item, urls)
  }
}

/** One JSON object on each line. */
export async function* ndjson(items: AsyncIterable<BatchItem>, urls: ImageUrls): AsyncGenerator<Buffer, void> {
  yield* inPieces(lines())

  async function* lines(): AsyncGenerator<string, void> {
    for await (const item of items) yield `${JSON.stringify(batchItemRecord(item, urls))}\n`
  }
}
