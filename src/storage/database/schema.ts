/** The tables as Kysely sees them: text ids, milliseconds since the epoch, JSON as text, booleans as 0 and 1. */
import type { AuditRow } from './schema-audit.ts'
import type { BatchItemRow, BatchRow } from './schema-batches.ts'
import type { BrandRow, ExecutionBrandRow } from './schema-brands.ts'
import type { DailyTables } from './schema-daily.ts'
import type { DeliveryTables } from './schema-delivery.ts'
import type { WebhookTables } from './schema-webhooks.ts'
import type { WorkflowTables } from './schema-workflows.ts'

export interface Schema extends DailyTables, DeliveryTables, WebhookTables, WorkflowTables {
  accounts: AccountRow
  list_totals: ListTotalRow
  keys: KeyRow
  projects: ProjectRow
  workflows: WorkflowRow
  workflow_versions: WorkflowVersionRow
  drafts: DraftRow
  brands: BrandRow
  images: ImageRow
  binned_images: BinnedImageRow
  fonts: FontRow
  executions: ExecutionRow
  execution_brands: ExecutionBrandRow
  execution_events: ExecutionEventRow
  batches: BatchRow
  batch_items: BatchItemRow
  account_queues: AccountQueueRow
  workers: WorkerRow
  idempotency_keys: IdempotencyRow
  blob_removals: BlobRemovalRow
  step_results: StepResultRow
  step_result_images: StepResultImageRow
  step_checkpoints: StepCheckpointRow
  previews: PreviewRow
  background_jobs: BackgroundJobRow
  observed_clock: ObservedClockRow
  service_urls: ServiceUrlRow
  provider_calls: ProviderCallRow
  budgets: BudgetRow
  sessions: SessionRow
  audit_log: AuditRow
}

export interface AccountRow {
  id: string
  name: string
  plan: string
  rate_limit: number | null
  created_at: number
  /** Null: the operator's default. -1: none. */
  monthly_budget_micros: number | null
  /** Signs the URLs of its images in responses. Empty: none. */
  url_secret: string
  /** Whether an image or a project was ever private. */
  has_private_images: 0 | 1
  /** Null: the operator's default. -1: no limit. */
  storage_bytes_max: number | null
  /** Its keys are refused, and its executions wait. */
  suspended_at: number | null
  /** It is hidden until all its records are removed. */
  deleted_at: number | null
}

/** A part of the total of a list of an account: the total is the sum of its rows. Written by triggers. */
export interface ListTotalRow {
  account_id: string
  list: string
  /** The project, workflow or status of the list; else empty. */
  value: string
  total: number
}

export interface KeyRow {
  id: string
  account_id: string
  name: string
  prefix: string
  hash: string
  /** JSON: Grant[] */
  permissions: string
  daily_budget_micros: number | null
  monthly_budget_micros: number | null
  budget_id: string
  /** Set for a run link. */
  workflow_id: string | null
  executions_per_minute: number | null
  example_image_id: string | null
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

export interface ProjectRow {
  id: string
  account_id: string
  name: string
  description: string
  is_default: 0 | 1
  is_private: 0 | 1
  /** Seconds. Null: the default of the plan. */
  uploads_expire_in: number | null
  outputs_expire_in: number | null
  created_at: number
  updated_at: number
  /** It is hidden until its images and workflows are removed or moved. */
  deleted_at: number | null
  /** The project that gets its images and workflows. Null: they are removed. */
  moves_to: string | null
}

export interface WorkflowRow {
  id: string
  account_id: string
  project_id: string
  slug: string | null
  name: string
  description: string
  /** 0: never published, the id is reserved for a draft; then it counts as deleted. */
  version: number
  created_at: number
  updated_at: number
  /** A deleted workflow keeps its row and its versions, because executions still run them. */
  deleted_at: number | null
  /** The last revision of its earlier drafts. */
  draft_revisions: number
}

export interface WorkflowVersionRow {
  workflow_id: string
  version: number
  created_at: number
  /** JSON: WorkflowDocument. Of version 0, which is never read, an empty object. */
  document: string
  note: string | null
}

export interface DraftRow {
  workflow_id: string
  account_id: string
  name: string
  base_version: number
  revision: number
  /** JSON: DraftDocument */
  document: string
  created_at: number
  updated_at: number
}

export interface ImageRow {
  id: string
  account_id: string
  project_id: string | null
  name: string
  format: string
  size: number
  width: number
  height: number
  sha256: string
  origin: string | null
  credentials: string | null
  is_private: 0 | 1
  execution_id: string | null
  created_at: number
  expires_at: number | null
}

/** An image in the bin. */
export interface BinnedImageRow extends ImageRow {
  binned_at: number
}

/** Observations of the clock, at most one row. See retention/clock-watch.ts. */
export interface ObservedClockRow {
  id: number
  /** The time of the last observation. */
  seen_at: number
  /** The time after the last jump ahead. */
  jumped_at: number
  /** How much of that time may not have passed. */
  lag_ms: number
}

export interface FontRow {
  id: string
  account_id: string
  format: string
  family: string
  weight_min: number
  weight_max: number
  is_italic: 0 | 1
  size: number
  sha256: string
  characters: string
  created_at: number
}

export interface ExecutionRow {
  id: string
  account_id: string
  workflow_id: string
  /** Null for the draft of a workflow that was never published. */
  workflow_version: number | null
  /** JSON: ParameterValues */
  parameters: string
  /** JSON: UsedBrandValues, or if they are long, the hash of their row in `execution_brands`. Null if its workflow reads none. */
  brand: string | null
  status: string
  attempt: number
  /** Attempts that don't count as tries: an orderly shutdown gave them back, or they were parked when they were lost. */
  attempts_released: number
  /** 1 while the current attempt only waits. */
  parked: number
  /** JSON: ExecutionOutput */
  output: string | null
  /** JSON: NamedExecutionOutput[]. Null without `outputs`. */
  outputs: string | null
  /** JSON: ExecutionError */
  error: string | null
  created_at: number
  started_at: number | null
  completed_at: number | null
  /** JSON: Step[]. Not a table, because it is always written and read completely, with the row as its fence. */
  steps: string
  /** Events so far, also those that were removed: the sequence number of the last one. */
  event_count: number
  /** The failed execution that it resumes. */
  resumed_from: string | null
  /** The batch that it runs a row of. */
  batch_id: string | null
  /** The API key that started it. */
  key_id: string | null
  /** Seconds after which its outputs are removed. Null: the default of its project or plan. */
  expires_in: number | null
  /** 1 if previews of its step results are stored. */
  with_previews: 0 | 1
  /** JSON: WorkflowDocument, if the execution runs a draft; else it runs the version. */
  document: string | null
  /** The node of the draft that it runs to, instead of the output. */
  node: string | null
  /** JSON: Variations */
  variations: string | null
  /** The derived file that its output becomes. */
  derived_key: string | null
  output_format: string | null
  /** The caller's URL for the event of its end. */
  webhook_url: string | null
  /** Order within its account: 0 for one that was started before, 1 for a synchronous one, 2 for an asynchronous one, 3 for a row of a batch. */
  rank: number
  /** The worker that claimed it last; null on SQLite, where only one process runs executions. */
  worker_id: string | null
  /** Images that it adds to the storage, as far as this is known before it runs. They count as long as it has not ended. */
  images_reserved: number
  /** The work that started it: W3C Trace Context. Null without traces. */
  traceparent: string | null
}

/** One event of an execution, written with the change that it reports. */
export interface ExecutionEventRow {
  execution_id: string
  /** The number of the last of these events. Numbers start at 1 and have no gaps; in the API, they are the ids of the events. */
  sequence: number
  /** JSON: StoredEvent[], the events of one change */
  events: string
  /** Null except for the last events of an execution: when it ended. */
  ended_at: number | null
}

/** The queue of an account: see claim-next.ts. Every account has one. */
export interface AccountQueueRow {
  account_id: string
  /** Executions that are `pending`. Written by triggers. */
  waiting: number
  /** Executions that are `running`. Written by triggers. */
  running: number
  /** `runningMax` of the plan. Written by triggers. */
  running_max: number
  /** Computed: null if no execution waits, else whether one may start. */
  may_start: 0 | 1 | null
  /** Virtual time of its next turn: the account with the smallest comes next. */
  pass: number
  /** Virtual time of its last turn. */
  last_pass: number
  /** Sum of the executions that have not ended. Written by triggers. */
  images_reserved: number
  /** Executions that were added in `month`. Written by triggers. */
  month_executions: number
  /** The last month in which an execution was added: `2026-11`. */
  month: string
}

/** A process that claims executions, on PostgreSQL. */
export interface WorkerRow {
  id: string
  /** Time by the database's clock. */
  seen_at: number
}

export interface IdempotencyRow {
  account_id: string
  key: string
  method: string
  path: string
  fingerprint: string
  state: string
  /** JSON: IdempotentResponse */
  response: string | null
  /** The id of the resource that the request created. */
  resource_id: string | null
  created_at: number
}

/** A blob whose row is gone. */
export interface BlobRemovalRow {
  key: string
  due_at: number
}

export interface StepResultRow {
  account_id: string
  key: string
  blob_key: string | null
  size: number
  /** JSON, of the service that wrote it. */
  facts: string
  created_at: number
  used_at: number
}

/** An image from which a result may have been made. */
export interface StepResultImageRow {
  account_id: string
  key: string
  image_id: string
}

export interface StepCheckpointRow {
  execution_id: string
  task: string
  account_id: string
  key: string | null
  blob_key: string | null
  size: number
  /** JSON, of the service that wrote it. */
  facts: string
  created_at: number
}

export interface PreviewRow {
  id: string
  account_id: string
  key: string | null
  width: number
  height: number
  /** Bytes of its file. Null if it was made by a version that didn't store it. */
  size: number | null
  created_at: number
  used_at: number
}

export interface ServiceUrlRow {
  name: string
  url: string
}

export interface ProviderCallRow {
  id: string
  account_id: string
  execution_id: string
  workflow_id: string
  key_id: string | null
  node: string
  item: number
  ordinal: number
  sequence: number
  capability: string
  provider: string
  model: string
  request_hash: string
  state: string
  /** JSON: Handle */
  handle: string | null
  /** JSON: CallAnswer */
  response: string | null
  /** JSON: CallProblem */
  problem: string | null
  /** The amount that was reserved. It stays after the end. */
  reserved_micros: number
  cost_micros: number | null
  cost_source: string | null
  request_id: string | null
  created_at: number
  updated_at: number
  /** Null while it is `submitting` or `accepted`. */
  ended_at: number | null
}

/** Spent and reserved amounts in micro-dollars: of an account in a month (`2026-11`), or of an execution (empty period). */
export interface BudgetRow {
  scope: string
  period: string
  spent: number
  reserved: number
  /** Calls with unknown cost. */
  unknown_costs: number
}

export interface SessionRow {
  hash: string
  key_id: string
  created_at: number
  last_used_at: number
  expires_at: number
}

export interface BackgroundJobRow {
  name: string
  started_at: number
}
