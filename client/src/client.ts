import { ApiError, apiError, ConnectionError, InvalidRequestError, TintypeError } from './errors.ts'
import { followEvents } from './event-stream.ts'
import { createList } from './list.ts'
import { type OperationRow, operations, type Resources } from './resources.ts'
import { sleep } from './retries.ts'
import { type ClientOptions, createTransport, type OutgoingRequest, type Transport } from './transport.ts'
import type {
  Batch,
  BatchItem,
  CompletedExecution,
  Execution,
  FileInput,
  Image,
  RequestOptions,
  Rows,
  Schemas,
} from './types.ts'
import { formOf, openFile, sendWithProgress, type UploadProgress } from './upload.ts'

/** The parameters and outputs of one workflow, as `tintype types` writes them. */
export interface WorkflowTypes {
  parameters: object
  /** The names of its outputs. */
  outputs?: string
}

/** The workflows whose types are known, by slug or id. `tintype types` adds them; other workflows accept any parameter. */
// biome-ignore lint/suspicious/noEmptyInterface: programs add their workflows.
export interface Workflows {}

/** The id or the slug of a workflow. */
export type WorkflowName<All> = (keyof All & string) | (string & {})

export type ParametersOf<All, Name> = Name extends keyof All
  ? All[Name] extends { parameters: infer Parameters }
    ? Parameters
    : never
  : Record<string, unknown>

/** Parameters can be omitted if none is required. */
// biome-ignore lint/complexity/noBannedTypes: the test is whether an object without fields is enough.
type Arguments<Parameters, Options> = {} extends Parameters
  ? [parameters?: Parameters, options?: Options]
  : [parameters: Parameters, options?: Options]

/** The result of an execution, with the names of its outputs if they are known. */
export type ResultOf<All, Name> = Name extends keyof All
  ? All[Name] extends { outputs: infer Output }
    ? Omit<CompletedExecution, 'outputs'> & { outputs?: (Schemas['NamedOutput'] & { name: Output })[] }
    : CompletedExecution
  : CompletedExecution

/** Fields of a request, each of which can be undefined. */
type Settings<Body, Name extends keyof Body> = { [Field in Name]?: Body[Field] | undefined }

type ExecuteRequest = Schemas['WorkflowsExecuteRequest']

export interface RunOptions
  extends RequestOptions,
    Settings<ExecuteRequest, 'version' | 'channel' | 'previews' | 'expiresIn' | 'webhookUrl'> {}

export type ExecutionEvent =
  ReturnType<Resources['executions']['events']> extends AsyncIterable<infer Event> ? Event : never

export interface WaitOptions extends RequestOptions {
  /** Gets each event while the execution runs. */
  onEvent?: ((event: ExecutionEvent) => void) | undefined
}

export interface EventsOptions extends RequestOptions {
  /** The id of the last received event, to continue after it. `0`: all events. */
  after?: number | string | undefined
}

export interface UploadOptions extends RequestOptions {
  /** File name. Default: the name of the file. */
  name?: string | undefined
  projectId?: string | undefined
  /** Seconds after which the image is removed. */
  expiresIn?: number | undefined
  /** Whether the URLs of the image require a signature. */
  private?: boolean | undefined
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

export interface BatchOptions
  extends RequestOptions,
    Settings<Schemas['BatchesCreateRequest'], 'version' | 'channel' | 'name' | 'defaults' | 'maxUsd' | 'webhookUrl'> {}

/** A batch that was started. Iterate over it for its rows, in the order in which they end. */
export interface StartedBatch extends AsyncIterable<BatchItem> {
  readonly id: string
  readonly batch: Schemas['StartedBatch']
}

/** Has a property for each resource. */
const ResourcesOf = class {
  constructor(transport: Transport) {
    Object.assign(this, resourcesOf(transport))
  }
} as unknown as new (
  transport: Transport,
) => Resources

/**
 * A client of one service. `All`: the types of the workflows, by default those of `tintype types`.
 *
 * const tintype = new Tintype({ url: 'https://images.example.com', key })
 */
export class Tintype<All = Workflows> extends ResourcesOf {
  readonly #transport: Transport
  readonly #fetch: typeof globalThis.fetch | undefined

  constructor(options: ClientOptions) {
    const transport = createTransport(options)
    super(transport)
    this.#transport = transport
    this.#fetch = options.fetch
  }

  /** Executes a workflow and waits for the result. Throws a `WorkflowFailedError` if the execution fails. */
  async run<Name extends WorkflowName<All>>(
    workflow: Name,
    ...[parameters, options]: Arguments<ParametersOf<All, Name>, RunOptions>
  ): Promise<ResultOf<All, Name>> {
    const [body, request] = executeBody(workflow, parameters, options)
    const execution = await this.workflows.execute(body, request)
    // The service waits for a limited time.
    const result = execution.status === 'completed' ? execution : await this.wait(execution.executionId, request)
    return result as ResultOf<All, Name>
  }

  /** Starts an execution, and returns when it is stored: it survives a restart of the service. */
  async submit<Name extends WorkflowName<All>>(
    workflow: Name,
    ...[parameters, options]: Arguments<ParametersOf<All, Name>, RunOptions>
  ): Promise<Schemas['AcceptedExecution']> {
    const [body, request] = executeBody(workflow, parameters, options)
    return (await this.workflows.execute({ ...body, async: true }, request)) as Schemas['AcceptedExecution']
  }

  /**
   * The completed execution. Throws a `WorkflowFailedError` if it failed. Follows its events; if the service or a proxy doesn't send them, polls
   * it.
   */
  async wait(executionId: string, options: WaitOptions = {}): Promise<Schemas['ExecutionCompleted']> {
    const { onEvent, ...request } = options
    try {
      for await (const event of this.events(executionId, request)) onEvent?.(event)
    } catch (error) {
      request.signal?.throwIfAborted()
      if (!isStreamProblem(error)) throw error
    }
    return this.#poll(executionId, request)
  }

  /** Requests wait on the service for the end of the execution, if it can: earlier versions reject `wait`. */
  async #poll(executionId: string, options: RequestOptions): Promise<Schemas['ExecutionCompleted']> {
    const waitSecondsMax = Math.min(20, Math.floor((options.timeout ?? this.#transport.timeout) / 2_000))
    let canWait = waitSecondsMax > 0
    let wait = 0
    for (let delayMs = 500; ; delayMs = Math.min(5_000, delayMs * 1.5)) {
      const startedMs = performance.now()
      const query = wait > 0 ? { wait } : {}
      const execution = await this.executions.get(executionId, query, options).catch((error: unknown) => {
        if (wait === 0 || !(error instanceof InvalidRequestError)) throw error
        canWait = false
        return undefined
      })
      if (execution?.status === 'completed') return execution
      if (execution?.status === 'failed') throw failureOf(execution)
      wait = canWait ? waitSecondsMax : 0
      if (performance.now() - startedMs < 1_000) await sleep(delayMs, options.signal)
    }
  }

  /** The events of an execution until it ends: a snapshot, then each change. A lost connection continues after the last event. */
  events(executionId: string, options: EventsOptions = {}): AsyncIterable<ExecutionEvent> {
    const { after, ...request } = options
    return this.executions.events(executionId, after === undefined ? {} : { after: Number(after) }, request)
  }

  /** Uploads an image. */
  async upload(file: FileInput, options: UploadOptions = {}): Promise<Image> {
    const { name, projectId, expiresIn, private: isPrivate, onProgress, ...request } = options
    const opened = await openFile(file)
    const content = new File([opened.blob], opened.name ?? name ?? 'image')
    const form = await formOf({ name, projectId, expiresIn, private: isPrivate, file: content })
    const sent = { method: 'POST', path: '/v1/storage/upload', body: () => ({ body: form }) }
    const send = onProgress && sendWithProgress(content.size, onProgress, this.#fetch)
    return (await this.#transport.json(sent, request, send)) as Image
  }

  /**
   * Executes a workflow for each row. Resolves when the batch was started; iterate over the result for the rows as they end. A call with the
   * `idempotencyKey` of an earlier call continues its batch.
   */
  async batch<Name extends WorkflowName<All>>(
    workflow: Name,
    rows: readonly (ParametersOf<All, Name> & { key?: string | number })[] | Exclude<Rows, readonly unknown[]>,
    options: BatchOptions = {},
  ): Promise<StartedBatch> {
    const { version, channel, name, defaults, maxUsd, webhookUrl, idempotencyKey, ...request } = options
    const settings = { workflowId: workflow, version, channel, name, defaults, maxUsd, webhookUrl }
    const { id } = await this.batches.create(settings as Schemas['BatchesCreateRequest'], {
      ...request,
      idempotencyKey,
    })
    // With a key of the caller, it can be the batch of an earlier call, which may have started it.
    const isNew = idempotencyKey === undefined
    if (isNew || (await this.batches.get(id, {}, request)).startedAt === undefined) {
      try {
        await this.batches.upload(id, rows as Rows, request)
      } catch (error) {
        // A batch without rows is of no use. The signal may be aborted: the deletion has none.
        if (isNew) await this.batches.delete(id, {}, { ...request, signal: undefined }).catch(() => undefined)
        throw error
      }
    }
    const batch = await this.batches.start(id, {}, request)
    return { id, batch, [Symbol.asyncIterator]: () => this.batchResults(id, request)[Symbol.asyncIterator]() }
  }

  /** The rows of a batch in the order in which they end, each once, until the batch has ended. */
  async *batchResults(batchId: string, options: RequestOptions = {}): AsyncIterable<BatchItem> {
    const seen = new Set<number>()
    try {
      for await (const { type, data } of this.batches.events(batchId, { after: 0 }, options)) {
        if (type === 'batch') assertContinues(data)
        else if (type === 'item' && !seen.has(data.row)) {
          seen.add(data.row)
          yield data
        }
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!isStreamProblem(error)) throw error
    }
    for (;;) {
      const batch = await this.batches.get(batchId, {}, options)
      const ended = batch.counts.total - batch.counts.pending - batch.counts.running
      if (ended > seen.size)
        for await (const item of this.batches.items(batchId, {}, options))
          if (!['pending', 'running'].includes(item.status) && !seen.has(item.row)) {
            seen.add(item.row)
            yield item
          }
      if (isOver(batch)) return
      assertContinues(batch)
      await sleep(2_000, options.signal)
    }
  }
}

/** One method for each operation: parameters of the path, then the query or the body, then options. */
function resourcesOf(transport: Transport): Record<string, Record<string, unknown>> {
  const entries = Object.entries(operations).map(([noun, rows]) => {
    const methods = Object.entries(rows).map(([verb, row]) => [verb, methodOf(transport, row)])
    return [noun, Object.fromEntries(methods)]
  })
  return Object.fromEntries(entries)
}

function methodOf(transport: Transport, [method, template, input, result, itemsField = '']: OperationRow) {
  const names = template.match(/\{\w+\}/g) ?? []
  return (...values: unknown[]): unknown => {
    const path = names.reduce((path, name, i) => path.replace(name, segmentOf(name, values[i])), template)
    const [given, options = {}] = values.slice(names.length) as [object?, MethodOptions?]
    const query = input === 'query' ? given : options.query
    const send = (query: object | undefined): OutgoingRequest => ({ method, path, query })
    if (result === 'list') return createList((query) => transport.json(send(query), options), itemsField, { ...query })
    if (result === 'events') return followEvents(transport, send(query), options, endOf)
    if (result === 'file') return transport.response({ ...send(query), followsRedirects: true }, options)
    return transportBody(input, given).then((body) => transport.json({ ...send(query), body }, options))
  }
}

type MethodOptions = RequestOptions & { query?: object }

async function transportBody(input: OperationRow[2], given: object | undefined): Promise<OutgoingRequest['body']> {
  if (input === 'query') return undefined
  if (input === 'form') {
    const form = await formOf(given ?? {})
    return () => ({ body: form })
  }
  const { csv, ndjson } = (given ?? {}) as { csv?: string | Blob; ndjson?: string | Blob }
  if (input === 'rows' && csv !== undefined) return () => ({ body: csv, contentType: 'text/csv' })
  if (input === 'rows' && ndjson !== undefined) return () => ({ body: ndjson, contentType: 'application/x-ndjson' })
  const json = JSON.stringify(given ?? {})
  return () => ({ body: json, contentType: 'application/json' })
}

/** An empty segment, or dots that `fetch` would resolve, would be the path of another operation. */
function segmentOf(name: string, value: unknown): string {
  if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value)
  throw new TypeError(`${name} must be a text, not ${JSON.stringify(value)}.`)
}

function executeBody(workflow: string, parameters: unknown, options: RunOptions = {}) {
  const { version, channel, previews, expiresIn, webhookUrl, ...request } = options
  const body = { workflowId: workflow, parameters, version, channel, previews, expiresIn, webhookUrl }
  return [body as ExecuteRequest, request as RequestOptions] as const
}

/** Whether a stream ends with the event. A batch can have ended before its stream began: its rows follow. */
function endOf({ type, data }: { type: string; data: unknown }): 'now' | 'soon' | undefined {
  if (type === 'batch') return isOver(data as Batch) ? 'soon' : undefined
  const { execution = data } = data as { execution?: unknown }
  const { status } = execution as Partial<Execution>
  return type !== 'step' && (status === 'completed' || status === 'failed') ? 'now' : undefined
}

function isOver({ status }: Batch): boolean {
  return status === 'completed' || status === 'cancelled'
}

/** A batch that its owner paused may continue any time, other pauses need a change. */
function assertContinues({ id, status, pauseReason }: Batch): void {
  if (status === 'created') throw new TintypeError(`The batch ${id} was not started.`)
  if (status === 'paused' && pauseReason !== 'requested')
    throw new TintypeError(
      `The batch ${id} is paused (${pauseReason}). Resume it, then get its results with batchResults.`,
    )
}

/** Whether polling can work although the stream of events doesn't. */
function isStreamProblem(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  return (
    error instanceof ApiError && (error.status === 429 || error.status >= 500 || error.code === 'unexpected_response')
  )
}

function failureOf({ executionId, error }: Schemas['ExecutionFailed']): ApiError {
  return apiError({ ...error, details: { ...error.details, executionId }, status: 500 })
}
