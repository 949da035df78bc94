/** One run of a version of a workflow, and its steps. */
import type { ErrorCode, FaultDetails } from '../errors.ts'
import type { NewIdempotencyRecord } from './idempotency.ts'
import type { Image, ImageFormat } from './image.ts'
import type { Micros, ModelCallRecord } from './model.ts'
import type { Page, PageRequest } from './page.ts'
import type { ParameterValues, WorkflowDocument } from './workflow.ts'

export const executionStatuses = ['pending', 'running', 'completed', 'failed'] as const
export type ExecutionStatus = (typeof executionStatuses)[number]

/** pending -> running -> completed or failed; pending -> failed. A terminal state never changes. */
export function isTerminal(status: ExecutionStatus): boolean {
  return status === 'completed' || status === 'failed'
}

export interface ExecutionOutput {
  imageId: string
  width: number
  height: number
  format: ImageFormat
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
  /** After defaults. */
  parameters: ParameterValues
  status: ExecutionStatus
  /** How often it was begun: the fencing token. A write of an older attempt changes nothing. */
  attempt: number
  output: ExecutionOutput | null
  error: ExecutionError | null
  /** When the request was accepted. */
  createdAt: number
  startedAt: number | null
  completedAt: number | null
  /** The failed execution that it goes on with. */
  resumedFrom?: string
  /** The key that it was begun with. */
  keyId?: string
  /** Whether small pictures of what its steps give are kept. */
  previews?: true
  /** It runs a document of its own, taken from a draft, and not `workflowVersion`: that is what the draft began from. */
  isDraft?: true
  /** The node of the draft that it runs to, in place of the draft's output. */
  node?: string
  /**
   * Every earlier attempt that counts lost its process, so this is the last one. It begins parked, and runs once nothing else
   * runs next to it.
   */
  isLastAttempt?: true
  /**
   * What its calls of AI models cost, of all attempts; undefined where there were none. `unknownCosts`: calls whose cost
   * nobody knows; what was set aside for them is in the sum.
   */
  cost?: { costMicros: Micros; unknownCosts: number }
}

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
  /** Size of the image that it gave; of a list, of the first. */
  width: number | null
  height: number | null
  /** How many images it gave, when it ran over a list. */
  count?: number
  error: Pick<ExecutionError, 'message' | 'details'> | null
  /**
   * Where its result came from when it did not run: from the cache, also where it was not needed because what follows came
   * from there; or from the execution that this one resumes.
   */
  servedFrom?: (typeof stepOrigins)[number]
  /** A small picture of what it gave, once that is stored. */
  preview?: StepPreview
  /** The calls of AI models that it made, in their order, also those of earlier attempts; undefined where there were none. */
  calls?: ModelCallRecord[]
}

export interface StepPreview {
  id: string
  width: number
  height: number
}

/** What a completed execution tells about how long things take. */
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
  /** With `pending` and `running` the execution starts over: the steps of events before are those of an attempt that was lost or given back. */
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
  /** In their order. Fewer than `eventCount` says if the events were removed, or stayed behind in a move to this installation. */
  events: StoredEvent[]
}

export interface ExecutionStore {
  /** Durable when it returns. Throws `TooManyWaiting`; with `record`: see `KeyTaken`. */
  create(execution: Execution, options?: NewExecution): Promise<void>
  find(accountId: string, id: string): Promise<Execution | undefined>
  list(accountId: string, page: PageRequest, filter: ExecutionFilter): Promise<Page<Execution>>
  /** What one of a draft runs; undefined for any other. */
  findDocument(executionId: string): Promise<WorkflowDocument | undefined>
  /**
   * Of each of these workflows, what the newest of its executions gave that ran to the output; nothing where there is none,
   * or its image was deleted.
   */
  lastOutputs(accountId: string, workflowIds: string[]): Promise<LastOutput[]>
  /** In the order of the plan. */
  listSteps(executionId: string): Promise<Step[]>
  findSnapshot(accountId: string, id: string): Promise<ExecutionSnapshot | undefined>
  /** The events past this number; undefined if the account has no such execution. */
  readEvents(accountId: string, id: string, after: number): Promise<EventPage | undefined>
  /** Removes the events of executions that ended before this time, of the given number of executions at most. Returns how many executions. */
  sweepEvents(endedBefore: number, executionsMax: number): Promise<number>
  /** The newest completed ones of an account. */
  recentRuns(accountId: string, runsMax: number): Promise<PastRun[]>
  countPending(): Promise<number>
  /**
   * The next execution in the fair order, now `running` with its attempt counted and `startedAt` set. Accounts take turns by the
   * weight of their plan. Within an account: executions that were started before, then synchronous ones, then the rest, each the oldest
   * first. Passes over accounts that have no API access or run as many executions as their plan allows.
   */
  claimNext(now: number, by?: Claimant): Promise<Execution | undefined>
  /**
   * As `claimNext`, for this one; also when it is `running`, because whoever ran it was lost: the former attempt loses
   * its right. Undefined when it has ended, or is ended by this call: it was tried `attemptsMax` times.
   */
  claim(executionId: string, now: number, bounds: AttemptBounds): Promise<Execution | undefined>
  /** Which of these attempts may still write: they run, and were not taken over. Gives the ids of their executions. */
  whichRun(attempts: AttemptId[]): Promise<string[]>
  /**
   * Writes the steps, and an event for each of `changed`: the steps that were not written in this state before. False, with nothing
   * written, if the attempt has lost its right.
   */
  saveSteps(executionId: string, attempt: number, steps: Step[], changed?: Step[]): Promise<boolean>
  /**
   * Output image, steps and status in one transaction. False (and nothing written) when the attempt has lost its right.
   * Told again, because the answer was lost on its way: true when it was written with this very image.
   */
  complete(
    executionId: string,
    attempt: number,
    result: { image: Image; output: ExecutionOutput; steps: Step[]; changed?: Step[]; completedAt: number },
  ): Promise<boolean>
  /** As `complete`, for a failure. */
  fail(
    executionId: string,
    attempt: number,
    result: { error: ExecutionError; steps: Step[]; changed?: Step[]; completedAt: number },
  ): Promise<boolean>
  /** Ends one that has not ended, its open steps `cancelled`; who runs it can write no more. False when it has ended. */
  cancel(executionId: string, result: { error: ExecutionError; completedAt: number }): Promise<boolean>
  /**
   * Marks an attempt whose execution only waits: if its process is lost meanwhile, the attempt
   * doesn't count towards `attemptsMax`. False when the attempt has lost its right.
   */
  park(executionId: string, attempt: number, isParked: boolean): Promise<boolean>
  /**
   * Gives a running one back to the queue, as if this attempt had not been: for an orderly shutdown. It does not count
   * towards `attemptsMax`; its number is not given out again, so that what it writes late is refused.
   */
  release(executionId: string, attempt: number, now: number): Promise<boolean>
  /**
   * After a crash: what was `running` becomes `pending` again, or `failed` with the given error, and its own id in the details,
   * when it has been tried `attemptsMax` times. Without `only`, not while another process runs executions.
   */
  recover(bounds: AttemptBounds & { now: number; only?: AttemptId }): Promise<{ requeued: number; failed: number }>
}

export interface AttemptId {
  executionId: string
  attempt: number
}

export interface NewExecution {
  record?: NewIdempotencyRecord | undefined
  /** The document that an execution of a draft runs. */
  document?: WorkflowDocument | undefined
  /** Starts after the synchronous executions of its account. */
  isAsync?: boolean | undefined
  /** Most executions that may wait, of all accounts together. The limit of one account follows from its plan. */
  waitingMax?: number | undefined
}

/** Who claims. `worker`: where several processes do. `except`: accounts that are not considered. */
export interface Claimant {
  worker?: string
  except?: readonly string[]
}

/** As many executions wait as may: of its account, or of all. */
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

/**
 * The most attempts of an execution, and its error when they were not enough. Its provider calls of
 * unknown outcome end with it, and the error names them.
 */
export interface AttemptBounds {
  attemptsMax: number
  error: ExecutionError
}

/** Does what an execution only waits for, while another one may begin in its place; it goes on when there is a place again. */
export type YieldSlot = <Value>(work: () => Promise<Value>) => Promise<Value>

/**
 * Where workers get their executions from: what `create` of the store leaves pending comes to one of them, what that one
 * gives back or is lost with to another.
 */
export interface ExecutionQueue {
  work(worker: {
    atOnce: number
    /**
     * Performs an execution that was claimed; never rejects. `again`: it has not ended, and is to come again. `taken`
     * aborts when the queue has given it to another worker.
     */
    run(execution: Execution, taken: AbortSignal, meanwhile: YieldSlot): Promise<'ended' | 'again'>
    onError(error: unknown): void
  }): Promise<{
    /** Takes no more, and resolves once all that was taken has been run. */
    stop(): Promise<void>
  }>
}

/** What processes tell each other about executions. The truth is in the store; a notice only says when to look. */
export type ExecutionNotice =
  /** An execution waits, of this account where that is known. */
  | { kind: 'enqueued'; accountId?: string }
  /** Steps of it were written. */
  | { kind: 'changed'; executionId: string }
  | { kind: 'ended'; executionId: string }
  | { kind: 'cancelled'; executionId: string }
  /** Some may not have come through: whoever waits for one looks for himself. Nobody sends it. */
  | { kind: 'missed' }

export interface ExecutionNotices {
  send(notice: ExecutionNotice): void
  /** Returns the function that stops it. */
  listen(listener: (notice: ExecutionNotice) => void): () => void
}
