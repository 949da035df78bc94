/** Converts executions, their steps and events to response bodies. */
import { testField } from '../../../domain/accounts/twin.ts'
import { timestamp } from '../../../domain/clock.ts'
import {
  type Execution,
  isTerminal,
  type LastOutput,
  type NamedExecutionOutput,
  type OutputFile,
  type Step,
  type StepPreview,
} from '../../../domain/executions/execution.ts'
import type { ModelCallRecord } from '../../../domain/models/model.ts'
import { dollars } from '../../../domain/money.ts'
import { traceIdOf } from '../../../domain/observed.ts'
import type { ExecutionEvent } from '../../../services/executions/execution-events.ts'
import type { ImageUrls } from '../../../services/images/image-urls.ts'
import type { ServerSentEvent } from '../../response/event-stream.ts'
import type { Services } from '../../services.ts'

export function executionRecord(execution: Execution, urls: ImageUrls) {
  const { id, workflowId, workflowVersion, parameters, status, error, createdAt, startedAt, completedAt, resumedFrom } =
    execution
  const { accountId, brand, batchId, previews, isDraft, node, variations, derivedKey, keyId, traceparent } = execution
  const output = executionOutput(execution, urls)
  const cost = isTerminal(status) ? executionCost(execution) : undefined
  return {
    executionId: id,
    workflowId,
    status,
    ...(output ? { output } : {}),
    ...executionOutputs(execution, urls),
    ...executionWarnings(execution),
    ...(error ? { error } : {}),
    // Two processes read the times, and their clocks differ by some milliseconds.
    ...(completedAt === null ? {} : { duration: Math.max(0, completedAt - createdAt) }),
    ...(startedAt === null ? {} : { startedAt: timestamp(startedAt) }),
    ...(completedAt === null ? {} : { completedAt: timestamp(completedAt) }),
    createdAt: timestamp(createdAt),
    ...(isDraft ? {} : { workflowVersion }),
    parameters,
    ...(brand === undefined ? {} : { brand }),
    ...(batchId === undefined ? {} : { batchId }),
    ...(previews ? { previews } : {}),
    ...(derivedKey !== undefined && keyId !== undefined ? { signingKeyId: keyId } : {}),
    ...(resumedFrom === undefined ? {} : { resumedFrom }),
    ...(isDraft ? { draft: true } : {}),
    ...(node === undefined ? {} : { node }),
    ...(variations === undefined ? {} : { variations }),
    ...(cost ? { cost } : {}),
    ...(traceparent === undefined ? {} : { traceId: traceIdOf(traceparent) }),
    ...testField(accountId),
  }
}

export function executionOutput({ output, derivedKey }: Pick<Execution, 'output' | 'derivedKey'>, urls: ImageUrls) {
  if (output === null) return undefined
  const { thumbnailUrl, ...file } = outputFile(output, urls)
  // Only images in storage have one.
  return derivedKey === undefined && thumbnailUrl !== undefined ? { ...file, thumbnailUrl } : file
}

/** Empty if the workflow has no `outputs`. */
export function executionOutputs({ outputs }: Pick<Execution, 'outputs'>, urls: ImageUrls) {
  return outputs ? { outputs: outputs.map((output) => namedOutput(output, urls)) } : {}
}

function namedOutput({ name, size, files, color, blurhash, pages, ...file }: NamedExecutionOutput, urls: ImageUrls) {
  return {
    name,
    ...outputFile(file, urls),
    size,
    ...(pages === undefined ? {} : { pages }),
    ...(files ? { files: files.map(({ size, ...rest }) => ({ ...outputFile(rest, urls), size })) } : {}),
    ...(files ? { srcset: srcsetOf(files, urls) } : {}),
    ...(color === undefined ? {} : { color }),
    ...(blurhash === undefined ? {} : { blurhash }),
  }
}

/** Values of the attribute `srcset` in HTML, by format. */
function srcsetOf(files: readonly OutputFile[], urls: ImageUrls): Record<string, string> {
  const byFormat = Map.groupBy(files, ({ format }) => format)
  const candidate = ({ imageId, format, width }: OutputFile) => `${urls.url({ id: imageId, format })} ${width}w`
  return Object.fromEntries([...byFormat].map(([format, files]) => [format, files.map(candidate).join(', ')]))
}

function outputFile({ imageId, width, height, format, origin, expiresAt }: OutputFile, urls: ImageUrls) {
  const url = urls.url({ id: imageId, format })
  const expiry = expiresAt === undefined ? {} : { expiresAt: timestamp(expiresAt) }
  return {
    url,
    width,
    height,
    format,
    imageId,
    ...(origin && { origin }),
    ...expiry,
    ...outputThumbnail(imageId, urls),
  }
}

function outputThumbnail(imageId: string, urls: ImageUrls): { thumbnailUrl?: string } {
  const thumbnailUrl = urls.outputThumbnailUrl({ id: imageId })
  return thumbnailUrl === undefined ? {} : { thumbnailUrl }
}

export function executionWarnings({ output }: Execution) {
  return output?.warnings ? { warnings: output.warnings } : {}
}

export function executionCost({ cost }: Pick<Execution, 'cost'>) {
  if (cost === undefined) return undefined
  const { costMicros, unknownCosts } = cost
  return { usd: dollars(costMicros), ...(unknownCosts === 0 ? {} : { unknown: unknownCosts }) }
}

/** The field of a list item. Empty without an output. */
export function lastOutputField(last: LastOutput | undefined, urls: ImageUrls) {
  if (last === undefined) return {}
  const { executionId, output, completedAt } = last
  const { imageId, width, height, format } = output
  const url = urls.url({ id: imageId, format })
  const completed = { completedAt: timestamp(completedAt) }
  return { lastOutput: { executionId, url, width, height, format, ...outputThumbnail(imageId, urls), ...completed } }
}

/** `stepsUrl`: the result of `stepsUrlOf`. */
export function stepRecord(step: Step, stepsUrl: string) {
  const { node, operation, status, startedAt, durationMs, width, height, count, error, servedFrom, preview, calls } =
    step
  const { fingerprint, frames, origin, outputs, warnings } = step
  return {
    node,
    operation,
    status,
    ...(startedAt === null ? {} : { startedAt: timestamp(startedAt) }),
    ...(durationMs === null ? {} : { duration: durationMs }),
    ...(width === null ? {} : { width }),
    ...(height === null ? {} : { height }),
    ...(count === undefined ? {} : { count }),
    ...(frames === undefined ? {} : { frames }),
    ...(outputs === undefined ? {} : { outputs }),
    ...(origin === undefined ? {} : { origin }),
    ...(servedFrom === undefined ? {} : { servedFrom }),
    ...(preview === undefined ? {} : { preview: previewOf(node, preview, stepsUrl) }),
    ...(calls === undefined ? {} : { calls: calls.map(modelCall) }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(warnings === undefined ? {} : { warnings }),
    ...(error === null ? {} : { error }),
  }
}

export function stepsUrlOf(executionId: string, { baseUrl }: { baseUrl(): string }): string {
  return `${baseUrl()}/workflows/executions/${executionId}/steps`
}

function previewOf(node: string, { width, height }: StepPreview, stepsUrl: string) {
  return { url: `${stepsUrl}/${encodeURIComponent(node)}/preview`, width, height }
}

export function modelCall({ model, outcome, costUsd, costSource, requestId }: ModelCallRecord) {
  return { model, outcome, costUsd, costSource, ...(requestId === undefined ? {} : { requestId }) }
}

type EventServices = Pick<Services, 'baseUrl'> & { urls: ImageUrls }

export async function* serverSentEvents(
  executionId: string,
  parts: AsyncIterable<ExecutionEvent[]>,
  services: EventServices,
): AsyncGenerator<ServerSentEvent[], void> {
  const stepsUrl = stepsUrlOf(executionId, services)
  for await (const part of parts) yield part.map((event) => serverSentEvent(event, stepsUrl, services))
}

function serverSentEvent(event: ExecutionEvent, stepsUrl: string, { urls }: EventServices): ServerSentEvent {
  const { id, kind } = event
  if (kind === 'step') return { id, event: kind, data: stepRecord(event.step, stepsUrl) }
  const record = executionRecord(event.execution, urls)
  if (kind === 'snapshot') {
    const steps = event.steps.map((step) => stepRecord(step, stepsUrl))
    return { id, event: kind, data: { execution: record, steps } }
  }
  const { executionId, status, startedAt, completedAt, output, outputs, error, duration, cost } = record
  const at = timestamp(event.at)
  return {
    id,
    event: kind,
    // JSON omits undefined values.
    data: { executionId, status, at, startedAt, completedAt, output, outputs, error, duration, cost },
  }
}
