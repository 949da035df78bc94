/** The tables of batches. */

export interface BatchRow {
  id: string
  account_id: string
  workflow_id: string
  workflow_version: number
  name: string
  /** JSON: parameters */
  defaults: string
  /** JSON: UsedBrandValues. Null if its workflow reads none. */
  brand: string | null
  status: string
  pause_reason: string | null
  max_cost_micros: number | null
  webhook_url: string | null
  key_id: string | null
  total: number
  /** The upload whose rows are the rows of the batch. 0: none. */
  upload: number
  /** The number of uploads so far. */
  uploads: number
  /** The upload that is in progress. Its process ended if `uploading_until` is over. */
  uploading: number | null
  uploading_until: number | null
  /** 1 while it runs, and after a cancellation until all its rows have ended. */
  is_active: number
  /** 1 if it may have rows of other uploads, or if it was deleted. */
  has_leftovers: number
  /** The process that makes executions of its rows, until `runner_until`. */
  runner_id: string | null
  runner_until: number | null
  run_started_at: number | null
  run_ended_before: number
  /** Start of the time in which nothing happens: since it was created, until it is started, or since it ended. */
  idle_since: number | null
  created_at: number
  started_at: number | null
  completed_at: number | null
  /** It is hidden until its rows are removed. */
  deleted_at: number | null
  /** The request that created it: W3C Trace Context. Null without traces. */
  traceparent: string | null
}

export interface BatchItemRow {
  batch_id: string
  upload: number
  /** Row number, from 1. */
  row_number: number
  account_id: string
  key: string
  /** JSON: the own values of the row */
  parameters: string
  /** `open` until it has ended. */
  state: string
  execution_id: string | null
  /** The failed execution that the next one resumes. */
  resumed_from: string | null
  ended_at: number | null
}
