/**
 * The work and the events that metrics and traces observe, declared once. A process without an observer does nothing more. Facts have no parameters,
 * prompts or URLs with a query.
 */
import type { FailureReason } from '../errors.ts'
import type { BatchState } from './batches/batch.ts'
import type { Execution } from './executions/execution.ts'
import type { ProviderCall } from './models/provider-call.ts'
import type { ClaimedDelivery } from './webhooks/webhook.ts'

/** Facts of work that takes time. Optional facts are known at its end. */
export interface ObservedWork {
  request: {
    method: string
    /** The template of the path, such as `/v1/workflows/{workflowId}`. Undefined for a path without a route. */
    route: string | undefined
    requestId: string
    /** Time from the arrival of the request to the start of this work. */
    elapsedMs: number
    /** Headers of the caller, as they were sent: W3C Trace Context. */
    traceparent: string | undefined
    tracestate: string | undefined
    status?: number
  }
  /** One attempt. */
  execution: { execution: Execution; outcome?: 'completed' | 'failed'; reason?: FailureReason | undefined }
  /** A step that runs, or whose result is loaded. */
  step: { node: string; operation: string; from?: 'cache' | 'resumed'; signal: AbortSignal }
  /** A call of an AI model, or the part of one that an earlier attempt started. */
  modelCall: {
    provider: string
    model: string
    capability: string
    isResumed: boolean
    /** `not_sent`, `open`, or the state and problem of the row. */
    outcome?: string
    /** The row of a call that has ended. */
    row?: ProviderCall
  }
  /** One attempt of a delivery. */
  webhook: {
    delivery: ClaimedDelivery
    outcome?: 'delivered' | 'retry' | 'failed'
    status?: number | null
    /** Time since the event, once it is delivered. */
    lagMs?: number
  }
  /** Rows of a batch become executions. */
  batch: { batch: BatchState; rows: number }
}

/** Facts of events. */
export interface ObservedEvents {
  /** Once for each execution: its end is recorded. */
  executionEnded: { reason?: FailureReason | undefined }
  /** The result of a step, or a file of an output, was searched for in the step cache. */
  cacheLookUp: { kind: 'step' | 'output'; isHit: boolean }
  cacheBytes: { direction: 'read' | 'written'; bytes: number }
  /** `program`: one of a list of names. */
  processStarted: { program: string }
  processEnded: { program: string; reason: ProcessEnd }
  /** A job runs again because its process ended. */
  jobRepeated: { program: string }
  executorEnded: object
  batchRows: { outcome: 'submitted' | 'cancelled'; rows: number }
}

/** Why a process ended: a limit of its job, the caller of the job, too much memory after a job, no job for some time, the end of the service, or its own end. */
export const processEnds = ['work', 'deadline', 'busy', 'memory', 'aborted', 'size', 'idle', 'stop', 'crash'] as const
export type ProcessEnd = (typeof processEnds)[number]

/** Work that has started. */
export interface Observation {
  /** Runs a part of the work. Work that starts inside is a child of it. */
  run<Value>(part: () => Value): Value
  /** `error`: the work failed. */
  end(error?: unknown): void
}

export interface Observer {
  begin<Name extends keyof ObservedWork>(name: Name, facts: ObservedWork[Name]): Observation
  note<Name extends keyof ObservedEvents>(name: Name, facts: ObservedEvents[Name]): void
  /** The `traceparent` of the current work (W3C Trace Context). */
  trace?(): string | undefined
}

let observer: Observer | undefined

/** Sets the observer of this process. */
export function setObserver(next: Observer | undefined): void {
  observer = next
}

/** Returns undefined without an observer. `facts` may change until the end. */
export function begin<Name extends keyof ObservedWork>(name: Name, facts: ObservedWork[Name]): Observation | undefined {
  return observer?.begin(name, facts)
}

export async function observe<Name extends keyof ObservedWork, Value>(
  name: Name,
  facts: ObservedWork[Name],
  work: () => Promise<Value>,
): Promise<Value> {
  const observation = begin(name, facts)
  if (observation === undefined) return work()
  try {
    const value = await observation.run(work)
    observation.end()
    return value
  } catch (error) {
    observation.end(error)
    throw error
  }
}

export function note<Name extends keyof ObservedEvents>(name: Name, facts: ObservedEvents[Name]): void {
  observer?.note(name, facts)
}

/** The `traceparent` of the current work, for the record of work that continues it. Undefined without traces. */
export function currentTrace(): { traceparent?: string } {
  const traceparent = observer?.trace?.()
  return traceparent === undefined ? {} : { traceparent }
}

/** The id in a `traceparent`: 32 hex digits. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35)
}
