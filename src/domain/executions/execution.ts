/** One run of a workflow version, and its steps. */
import type { Frame } from '../../../shared/frames.ts'
import type { ErrorCode, FaultDetails } from '../../errors.ts'
import type { UsedBrandValues } from '../accounts/brand.ts'
import type { NewDerivedFile } from '../delivery/derived-file.ts'
import type { NewIdempotencyRecord } from '../idempotency.ts'
import type { Image, ImageFormat } from '../images/image.ts'
import type { Origin } from '../images/origin.ts'
import type { Micros, ModelCallRecord } from '../models/model.ts'
import type { PageOfLong, PageRequest } from '../page.ts'
import type { OutputFormat } from '../workflows/output.ts'
import type { ParameterValues, WorkflowDocument } from '../workflows/workflow.ts'

export const executionStatuses = ['pending', 'running', 'completed', 'failed'] as const
export type ExecutionStatus = (typeof executionStatuses)[number]

/** pending -> running -> completed or failed; pending -> failed. A terminal state never changes. */
export function isTerminal(status: ExecutionStatus): boolean {
  return status === 'completed' || status === 'failed'
}

export interface OutputFile {
  imageId: string
  width: number
  height: number
  format: ImageFormat
  /** Undefined if no known AI model made any of its pixels. */
  origin?: Origin
  /** When it is removed. Undefined: it stays. */
  expiresAt?: number
}

/** The primary output. */
export interface ExecutionOutput extends OutputFile {
  /** Warnings of all steps, in the order of the plan. */
  warnings?: StepWarning[]
}

/** One of `outputs`: its file, or the file of a set for clients that can't choose one. */
export interface NamedExecutionOutput extends OutputFile {
  name: string
  /** Bytes. */
  size: number
  /** All files of a set, format by format, each from the smallest width. */
  files?: (OutputFile & { size: number })[]
  /** Dominant colour of a set, as `#rrggbb`. */
  color?: string
  /** BlurHash of a set. */
  blurhash?: string
  /** Number of pages of a PDF. */
  pages?: number
}

export interface StepWarning {
  node: string
  message: string
}

/** The same shape as an error response. */
export interface ExecutionError {
  code: ErrorCode
  message: string
  details: FaultDetails
}

export interface Execution {
  id: string
  accountId: string
  workflowId: string
  workflowVersion: number
  /** Values after defaults. */
  parameters: ParameterValues
  /** Undefined if the workflow reads none. */
  brand?: UsedBrandValues
  status: ExecutionStatus
  /** The number of starts: the fencing token. A write of an older attempt changes nothing. */
  attempt: number
  output: ExecutionOutput | null
  /** Set with `output`, if the workflow has `outputs`. */
  outputs?: NamedExecutionOutput[]
  error: ExecutionError | null
  /** When the request was accepted. */
  createdAt: number
  startedAt: number | null
  completedAt: number | null
  /** The failed execution that it resumes. */
  resumedFrom?: string
  /** The API key that started it. */
  keyId?: string
  /** The batch that it runs a row of. */
  batchId?: string
  /** Seconds after its end until its outputs are removed. Undefined: the default of its project or plan. */
  expiresIn?: number
  /** The work that started it, as `traceparent`. Undefined without traces. */
  traceparent?: string
  /** Whether previews of its step results are stored. */
  previews?: true
  /** It runs the document of a draft. `workflowVersion` is then the version that the draft is based on. */
  isDraft?: true
  /** The node of the draft that it runs to, instead of the output. */
  node?: string
  /** Set if it reuses random results, such as those of AI models. */
  variations?: Variations
  /** Set if a delivery URL started it: the file that its output becomes. It is not an image in storage then. */
  derivedKey?: string
  /** The format of its output in place of that of the document. `default`: as if the document had none. */
  outputFormat?: OutputFormat | 'default'
  /**
   * Every earlier attempt that counts lost its process, so this is the last one. It starts parked, and runs when nothing else
   * runs at the same time.
   */
  isLastAttempt?: true
  /**
   * The cost of its calls of AI models in all attempts; undefined if there were none. `unknownCosts`: calls with unknown cost. Their
   * reserved amounts are in the sum.
   */
  cost?: { costMicros: Micros; unknownCosts: number }
}

/**
 * Node -> its variation. Among the results of a workflow that are kept, equal work has one random result for each variation. A node
 * without an entry has its own id as its variation.
 */
export type Variations = Record<string, string>

export const stepStatuses = ['pending', 'running', 'completed', 'skipped', 'failed', 'cancelled'] as const
export type StepStatus = (typeof stepStatuses)[number]

export const stepOrigins = ['cache', 'resumed'] as const

/** A node in one execution. */
export interface Step {
  node: string
  operation: string
  status: StepStatus
  startedAt: number | null
  /** Milliseconds, to the microsecond. Null until it has ended. */
  durationMs: number | null
  /** Size of the resulting image; of the first image if the result is a list. */
  width: number | null
  height: number | null
  /** Number of resulting images if it ran over a list. */
  count?: number
  /** The areas that it drew or read; those of its first image if the result is a list. Undefined if its operation reports none. */
  frames?: readonly Frame[]
  /** The names of the outputs that its images become, without the primary one. */
  outputs?: string[]
  /** The origin of its images together. */
  origin?: Origin
  /** Warnings about its source or its result, which can be used. */
  warnings?: string[]
  error: Pick<ExecutionError, 'message' | 'details'> | null
  /**
   * The source of its result if it did not run: the cache, also if the step was not needed because later results came
   * from there, or the execution that this one resumes.
   */
  servedFrom?: (typeof stepOrigins)[number]
  /** The preview of its result, when it is stored. */
  preview?: StepPreview
  /** Identifies its work: `fingerprintsOf`. Only in executions with previews. */
  fingerprint?: string
  /** Its calls of AI models in their order, also of earlier attempts; undefined if there were none. */
  calls?: ModelCallRecord[]
}

export interface StepPreview {
  id: string
  width: number
  height: number
}

/** The durations of a completed execution. */
export interface PastRun {
  steps: Step[]
  completedAt: number
}

/** The newest output of a workflow. */
export interface LastOutput {
  workflowId: string
  executionId: string
  output: ExecutionOutput
  completedAt: number
}

export interface ExecutionFilter {
  workflowId?: string
  status?: ExecutionStatus
  /** Created at this time or later. */
  createdAfter?: number
  /** Created before this time. */
  createdBefore?: number
}

/** A change of an execution. Events are numbered from 1 without gaps, and the number is the id of the event in the API. */
export type StoredEvent =
  /** The new state of a step. */
  | { step: Step }
  /**
   * `pending` and `running` start the execution over: the steps of earlier events belong to an attempt that was lost or released.
   */
  | { status: ExecutionStatus; at: number }

/** An execution, its steps and the number of its events, all as of one moment. */
export interface ExecutionSnapshot {
  execution: Execution
  steps: Step[]
  eventCount: number
}

/** Events past a number, and the status and the number of all events as of the same moment. */
export interface EventPage {
  status: ExecutionStatus
  eventCount: number
  /**
   * Events in their order. Fewer than `eventCount` says if the events were removed, or stayed behind in a move to this
   * installation.
   */
  events: StoredEvent[]
}

/** Waiting executions of accounts with this plan that can start another execution, or that can not. */
export interface WaitingOfPlan {
  plan: string
  mayStart: boolean
  waiting: number
  /** When the oldest one was accepted. */
  oldestAt: number
}

export interface ExecutionStore {
  /**
   * Durable when it returns, as recorded: waiting, or running with `startFor`. Throws `TooManyWaiting`; for a draft without
   * a version: `WorkflowGone`; with `record`: see `KeyTaken`; with `derivedFile`: `DerivedFileTaken`.
   */
  create(execution: Execution, options?: NewExecution): Promise<Execution>
  find(accountId: string, id: string): Promise<Execution | undefined>
  /** Lists executions; those in `longIds` have no parameters and brand values, which `find` reads. */
  list(accountId: string, page: PageRequest, filter: ExecutionFilter): Promise<PageOfLong<Execution>>
  /** The document that an execution of a draft runs; undefined for other executions. */
  findDocument(executionId: string): Promise<WorkflowDocument | undefined>
  /**
   * Finds for each workflow the output of its newest execution that ran to the output. Omits workflows without such an
   * execution among the newest 1,000 completed ones, or if its image was deleted.
   */
  lastOutputs(accountId: string, workflowIds: string[]): Promise<LastOutput[]>
  /** Steps in the order of the plan. */
  listSteps(executionId: string): Promise<Step[]>
  findSnapshot(accountId: string, id: string): Promise<ExecutionSnapshot | undefined>
  /** The events past this number; undefined if the account has no such execution. */
  readEvents(accountId: string, id: string, after: number): Promise<EventPage | undefined>
  /** The newest completed executions of an account: at most `runsMax`, and as many as have steps of `stepsBytesMax` bytes of JSON together. */
  recentRuns(accountId: string, runsMax: number, stepsBytesMax: number): Promise<PastRun[]>
  countPending(): Promise<number>
  /** The executions that wait, of accounts with API access. Omits groups without any. */
  waitingByPlan(): Promise<WaitingOfPlan[]>
  /**
   * The next execution in the fair order, now `running` with its attempt counted and `startedAt` set. Accounts take turns by the
   * weight of their plan. Within an account: executions that were started before, then synchronous ones, asynchronous ones and rows of
   * batches, each the oldest first. Passes over accounts that have no API access or run as many executions as their plan allows.
   */
  claimNext(now: number, by?: Claimant): Promise<Execution | undefined>
  /**
   * Like `claimNext`, for this execution. If it is `running`, its worker was lost, and the former attempt loses
   * its lease. Undefined if it has ended, or if this call ends it because it was tried `attemptsMax` times.
   */
  claim(executionId: string, now: number, bounds: AttemptBounds): Promise<Execution | undefined>
  /** The executions of those attempts that may still write: they run and were not taken over. */
  whichRun(attempts: AttemptId[]): Promise<string[]>
  /**
   * Writes the steps, and an event for each of `changed`: the steps that were not written in this state before. False, with
   * nothing written, if the attempt has lost its lease.
   */
  saveSteps(executionId: string, attempt: number, steps: Step[], changed?: Step[]): Promise<boolean>
  /**
   * Writes the images of the outputs, the steps and the status in one transaction. False, with nothing written, if the attempt has lost its
   * lease. A second call after a lost response returns true if the outcome was written with these images.
   */
  complete(executionId: string, attempt: number, result: CompletedResult): Promise<boolean>
  /** Like `complete`, for a failure. */
  fail(
    executionId: string,
    attempt: number,
    result: { error: ExecutionError; steps: Step[]; changed?: Step[]; completedAt: number },
  ): Promise<boolean>
  /** Fails an execution that has not ended, with its open steps `cancelled`. Its worker can't write any more. False if it has ended. */
  cancel(executionId: string, result: { error: ExecutionError; completedAt: number }): Promise<boolean>
  /**
   * Marks an attempt whose execution only waits: if its process is lost in this time, the attempt
   * doesn't count towards `attemptsMax`. False if the attempt has lost its lease.
   */
  park(executionId: string, attempt: number, isParked: boolean): Promise<boolean>
  /**
   * Gives a running execution back to the queue, for an orderly shutdown. The attempt does not count
   * towards `attemptsMax`. Its number is not used again, so that late writes are refused.
   */
  release(executionId: string, attempt: number, now: number): Promise<boolean>
  /**
   * Fails the executions that wait or run of accounts that have no API access, in parts, with the given error and their id in the details. Their workers
   * can't write any more. A row of a batch waits again: its next execution resumes this one. Returns how many.
   */
  stop(result: { error: ExecutionError; completedAt: number }, accountId?: string): Promise<number>
  /**
   * Recovers after a crash: running executions become `pending` again, or `failed` with the given error and their id in
   * the details if they were tried `attemptsMax` times. Without `only`, call it only while no other process runs
   * executions.
   */
  recover(bounds: AttemptBounds & { now: number; only?: AttemptId }): Promise<{ requeued: number; failed: number }>
}

export interface CompletedResult {
  /** Image of the primary output. */
  image: Image
  /** Images of the files of `outputs`. */
  otherImages?: readonly Image[]
  output: ExecutionOutput
  outputs?: NamedExecutionOutput[] | undefined
  steps: Step[]
  changed?: Step[]
  completedAt: number
  /** The image becomes this derived file, and is not an image in storage. */
  derivedKey?: string | undefined
  /** The stored images that the derived file was made from. */
  imageIds?: readonly string[] | undefined
}

export interface AttemptId {
  executionId: string
  attempt: number
}

export interface NewExecution {
  record?: NewIdempotencyRecord | undefined
  /** The document that an execution of a draft runs. */
  document?: WorkflowDocument | undefined
  /** Gets the event of its end, in addition to the endpoints of the account. */
  webhookUrl?: string | undefined
  /** The file that its output becomes, for a delivery URL. */
  derivedFile?: NewDerivedFile | undefined
  /** Starts after the synchronous executions of its account. */
  isAsync?: boolean | undefined
  /** Starts after the other executions of its account. Throws `BatchItemTaken` if the row has an execution. */
  batchItem?: BatchItemRef | undefined
  /** Throws `KeyBusy` if another execution of its key waits or runs. */
  isOnlyOfKey?: boolean | undefined
  /** The most executions of all accounts that may wait. The limit of one account depends on its plan. */
  waitingMax?: number | undefined
  /** Images that it adds to the storage, as far as this is known. Default: 1. */
  imagesAdded?: number | undefined
  /** Starts it in the same write, for this claimant, if no execution waits and the account may run another. */
  startFor?: Pick<Claimant, 'worker'> | undefined
}

/** The row of a batch that an execution runs. */
export interface BatchItemRef {
  batchId: string
  upload: number
  row: number
}

/** `worker`: if several processes claim. `except`: accounts that are not considered. */
export interface Claimant {
  worker?: string
  except?: readonly string[]
}

/** The limit of waiting executions is reached, of the account or of all accounts. */
export class TooManyWaiting extends Error {
  readonly of: 'account' | 'service'
  readonly limit: number
  constructor(of: 'account' | 'service', limit: number) {
    super(`${limit} executions are waiting already`)
    this.name = 'TooManyWaiting'
    this.of = of
    this.limit = limit
  }
}

/** Another execution of the key waits or runs, and it can have only one. */
export class KeyBusy extends Error {
  constructor(keyId: string) {
    super(`another execution of the key ${keyId} waits or runs`)
    this.name = 'KeyBusy'
  }
}

/** The workflow of a draft that was never published was deleted with it. */
export class WorkflowGone extends Error {
  constructor(workflowId: string) {
    super(`the workflow ${workflowId} is gone`)
    this.name = 'WorkflowGone'
  }
}

/**
 * The most attempts of an execution, and its error after the last one. Provider calls of unknown outcome end with it, and the
 * error names them.
 */
export interface AttemptBounds {
  attemptsMax: number
  error: ExecutionError
}

/** Runs `work` with the worker slot of this execution released, then acquires a slot again. */
export type YieldSlot = <Value>(work: () => Promise<Value>) => Promise<Value>

/** The worker slot of an execution. */
export interface ExecutionSlot {
  yieldSlot: YieldSlot
  /** Runs `work`, which only waits for a download. Meanwhile, accounts without an execution in a slot start one as if this slot were free. */
  whileDownloading<Value>(work: () => Promise<Value>): Promise<Value>
  /** Releases it, now or when there is room for the `bytes` of its files: they are slow to store, or its outcome only has to be recorded. */
  end(left: 'storing' | 'recording', bytes: number): void
}
