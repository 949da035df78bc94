/** A row of a batch: parameters with a key, and their execution. */
import type { ExecutionError, ExecutionOutput, NamedExecutionOutput } from '../executions/execution.ts'
import type { CountedPage, PageRequest } from '../page.ts'

/** `pending`: also rows that have no execution yet. */
export const batchItemStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const
export type BatchItemStatus = (typeof batchItemStatuses)[number]

export type BatchCounts = Record<BatchItemStatus, number>

export interface BatchItem {
  batchId: string
  /** Row number, from 1, in the order of the upload. */
  row: number
  /** Unique in the batch. */
  key: string
  /** Its own values, converted to the types of the parameters. */
  parameters: Record<string, unknown>
  status: BatchItemStatus
  /** Its last execution. */
  executionId: string | null
  output: ExecutionOutput | null
  /** Outputs next to `output`, if the workflow has several. */
  outputs?: NamedExecutionOutput[]
  error: ExecutionError | null
  endedAt: number | null
}

export type NewBatchItem = Pick<BatchItem, 'key' | 'parameters'>

/** A row without an execution. */
export interface WaitingItem extends Pick<BatchItem, 'row' | 'key' | 'parameters'> {
  /** Its failed execution, which the next one resumes. */
  resumedFrom: string | null
}

/** The row has an execution already, or its batch doesn't run. Nothing was written. */
export class BatchItemTaken extends Error {
  constructor() {
    super('the row has an execution, or its batch does not run')
    this.name = 'BatchItemTaken'
  }
}

/** The rows of a batch are those of one upload. */
export interface BatchRows {
  /** Id of the batch. */
  id: string
  upload: number
}

export interface CountedRows extends BatchRows {
  total: number
  counts: BatchCounts
}

/** The rows of a page come in parts that are small enough for one piece of work: one row, or several that are not large together. */
export interface BatchItemPage extends Omit<CountedPage<BatchItem>, 'items'> {
  parts: AsyncIterable<BatchItem[]>
}

export interface BatchItemStore {
  /**
   * Begins to replace the rows. Returns the number of the upload, which owns the batch until `until`. Readers see the former rows until
   * `endUpload`. Undefined if the batch was started or is being uploaded.
   */
  beginUpload(batchId: string, times: { now: number; until: number }): Promise<number | undefined>
  /** Adds rows, numbered from `firstRow`, and moves `until`. False, with nothing written, if the upload has lost the batch. */
  add(rows: BatchRows, firstRow: number, items: readonly NewBatchItem[], until: number): Promise<boolean>
  /** Moves `until` while no rows arrive. */
  renewUpload(rows: BatchRows, until: number): Promise<void>
  /**
   * Makes the rows of this upload the rows of the batch. False: see `add`. Throws `QuotaReached` if the batches of the account that have
   * not ended would have too many.
   */
  endUpload(rows: BatchRows, total: number): Promise<boolean>
  /** Ends the upload without effect. Its rows are left to the sweep. */
  abandonUpload(rows: BatchRows): Promise<void>

  /** Lists items in the order of the upload. */
  list(batch: CountedRows, page: PageRequest, status?: BatchItemStatus): Promise<BatchItemPage>
  find(batch: BatchRows, key: string): Promise<BatchItem | undefined>
  /** The next rows after this one, at most `rowsMax`: as many as a part has. */
  readAfter(batch: BatchRows, row: number, rowsMax: number): Promise<BatchItem[]>
  /** Rows by their numbers, in parts. */
  pick(batch: BatchRows, rows: readonly number[]): AsyncIterable<BatchItem[]>
  /** The next rows in the order of their end, after this position in it, at most `rowsMax`: as many as a part has. */
  readEnded(batch: BatchRows, after: { endedAt: number; row: number }, rowsMax: number): Promise<BatchItem[]>
  /** Replaces the parameters of a row that failed or was cancelled, or whose batch was not started. False if it isn't one. Throws `QuotaReached`. */
  update(batch: BatchRows, key: string, parameters: Record<string, unknown>): Promise<boolean>
  /**
   * Makes rows that failed or were cancelled wait again, at most `rowsMax`, and continues a completed batch. `keys`: only these. Returns
   * how many; 0 if the batch was cancelled. Throws `QuotaReached` if too many others run next to a completed batch.
   */
  retry(
    batch: BatchRows,
    options: { keys?: readonly string[] | undefined; rowsMax: number; now: number },
  ): Promise<number>
  /** The first rows without an execution, at most `rowsMax`: as many as a part has. */
  nextWaiting(batch: BatchRows, rowsMax: number): Promise<WaitingItem[]>
  /** Cancels rows without an execution, at most `rowsMax`. Returns how many. */
  cancelWaiting(batch: BatchRows, rowsMax: number, now: number): Promise<number>
}

/** The number of rows that have ended. */
export function endedCount({ completed, failed, cancelled }: BatchCounts): number {
  return completed + failed + cancelled
}
