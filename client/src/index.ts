/** The client of the Tintype API: see README.md. */
export {
  type BatchOptions,
  type EventsOptions,
  type ExecutionEvent,
  type RunOptions,
  type StartedBatch,
  Tintype,
  type UploadOptions,
  type WaitOptions,
  type Workflows,
  type WorkflowTypes,
} from './client.ts'
export {
  ApiError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  TintypeError,
  UnauthorizedError,
  WebhookError,
  WorkflowFailedError,
} from './errors.ts'
export type { Resources, WebhookEvent } from './resources.ts'
export { type DeliveryUrl, signUrl } from './sign-url.ts'
export type { ClientOptions } from './transport.ts'
export type {
  Batch,
  BatchItem,
  CompletedExecution,
  Execution,
  FileInput,
  Image,
  List,
  RequestOptions,
  Rows,
  Schemas,
  ServerSentEvent,
  Workflow,
  WorkflowDocument,
} from './types.ts'
export type { UploadProgress } from './upload.ts'
export { type ReceivedWebhook, verifyWebhook } from './webhook.ts'
