import type { components, operations } from './schema.ts'

/** The types of the API, by their names in the OpenAPI document: `Schemas['Workflow']`. */
export type Schemas = components['schemas']

export type Execution = Schemas['Execution']
export type CompletedExecution = Schemas['CompletedExecution']
export type Image = Schemas['Image']
export type Workflow = Schemas['Workflow']
export type WorkflowDocument = Schemas['WorkflowDocument']
export type Batch = Schemas['Batch']
export type BatchItem = Schemas['BatchItem']

/** The query of an operation: `Query<'workflows.list'>`. */
export type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>

/** Input of an operation without a query or a body. */
export type None = Readonly<Record<string, never>>

export interface RequestOptions {
  signal?: AbortSignal | undefined
  /** Milliseconds for each attempt, without the time between attempts. */
  timeout?: number | undefined
  maxRetries?: number | undefined
  /** Key of a POST. Default: a random key for each call, the same for its retries. */
  idempotencyKey?: string | undefined
  /** The ETag of the record to change: another one is rejected with a `PreconditionFailedError`. */
  ifMatch?: string | undefined
  headers?: Record<string, string> | undefined
  /** Gets each response, also errors, for its status and headers, such as `ETag`. */
  onResponse?: ((response: Response) => void) | undefined
}

/** A file: its content, or the path of a file (not in browsers). The name of a `File` is its default name. */
export type FileInput = Blob | ArrayBuffer | Uint8Array | string

/** Rows of a batch: objects, or the content of a CSV or NDJSON file. */
export type Rows = readonly Schemas['BatchRow'][] | { csv: string | Blob } | { ndjson: string | Blob }

export interface ServerSentEvent<Type extends string, Data> {
  /** Number of the event: pass it as `after` to continue after it. */
  id: string | undefined
  type: Type
  data: Data
}

/** A list: await it for one page, iterate over it for all items. A request is sent when you do. */
export interface List<Page, Item> extends Promise<Page>, AsyncIterable<Item> {
  /** All pages. */
  pages(): AsyncIterable<Page>
}
