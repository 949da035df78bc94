/** Streams of the events of executions, whichever process runs them. */
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import {
  type Execution,
  type ExecutionStore,
  isTerminal,
  type Step,
  type StoredEvent,
} from '../../domain/executions/execution.ts'
import type { ExecutionNotices } from '../../domain/executions/execution-notice.ts'
import { Fault, invalidRequest, notFound } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createWakeUp, type EventStreams, type StreamRequest } from '../event-streams.ts'
import type { Executions } from './executions.ts'

/** `id`: the number of the event; of a snapshot, of the last event that it contains. */
export type ExecutionEvent =
  | { id: number; kind: 'snapshot'; execution: Execution; steps: Step[] }
  | { id: number; kind: 'step'; step: Step }
  /** The execution as it was then. */
  | { id: number; kind: 'execution'; at: number; execution: Execution }

export interface ExecutionEvents {
  /**
   * Follows an execution: without `last`, a snapshot and the events after it; with `last`, every event after that one
   * (`path` is the name of the parameter). If events after it were removed, a snapshot takes their place. The stream
   * comes in parts and ends with the execution. An empty part says that nothing has happened for a while. If events
   * can't be read, the stream reads them later. Undefined if the execution has ended and `last` is its last event.
   * Throws `not_found`, `invalid_request` if `last` is past the newest event, and `rate_limited` if the account has too
   * many streams.
   */
  follow(
    accountId: string,
    executionId: string,
    request: ExecutionEventsRequest,
  ): Promise<AsyncIterable<ExecutionEvent[]> | undefined>
  /** Ends all streams: their clients continue at another process, or later. */
  close(): void
}

interface ExecutionEventsRequest extends StreamRequest {
  last?: { id: number; path: string } | undefined
}

/** A part of the stream of an execution. */
interface Part {
  events: ExecutionEvent[]
  /** The number of the last event. */
  last: number
  /** Whether the execution had ended, so that no event comes after this part. */
  isOver: boolean
}

interface Dependencies {
  executions: Pick<ExecutionStore, 'find' | 'findSnapshot' | 'readEvents'>
  steps: Executions['tellable']
  notices: Pick<ExecutionNotices, 'listen'>
  streams: EventStreams
  /** Events can't be read. Called for the first failure of a stream. */
  onError(error: unknown, facts: { requestId: string; executionId: string }): void
  /** How often a stream reads without a notice: not every change sends one, and a notice can be lost. */
  lookMs?: number
  keepAliveMs?: number
  openMsMax?: number
}

export function createExecutionEvents({
  executions,
  steps: stepCalls,
  notices,
  streams,
  onError,
  lookMs = 1_000,
  keepAliveMs = limits.eventsKeepAliveSeconds * 1_000,
  openMsMax = limits.eventStreamSeconds * 1_000,
}: Dependencies): ExecutionEvents {
  /** The functions that wake the streams of an execution. */
  const wakes = new Map<string, Set<() => void>>()
  let isClosed = false
  const wake = (all: Iterable<() => void> = []) => {
    for (const notify of all) notify()
  }
  const wakeAll = () => {
    for (const all of wakes.values()) wake(all)
  }
  notices.listen((notice) => {
    if (notice.kind === 'missed') wakeAll()
    else if ('executionId' in notice) wake(wakes.get(notice.executionId))
  })

  function listen(executionId: string, notify: () => void): () => void {
    const all = wakes.get(executionId) ?? new Set()
    wakes.set(executionId, all.add(notify))
    return () => {
      all.delete(notify)
      if (all.size === 0 && wakes.get(executionId) === all) wakes.delete(executionId)
    }
  }

  async function* stream(
    { accountId, id }: Pick<Execution, 'accountId' | 'id'>,
    first: Part,
    { signal, requestId }: StreamRequest,
    leave: () => void,
  ): AsyncGenerator<ExecutionEvent[], void> {
    const wakeUp = createWakeUp()
    const stopListening = listen(id, wakeUp.wake)
    signal.addEventListener('abort', wakeUp.wake)
    try {
      const openedMs = monotonicMs()
      let { last, isOver } = first
      let isLogged = false
      const failed = (error: unknown): Part => {
        const isGone = error instanceof Fault && error.code === 'not_found'
        if (!isGone && !isLogged) onError(error, { requestId, executionId: id })
        isLogged ||= !isGone
        return { events: [], last, isOver: isGone }
      }
      yield first.events
      let sentMs = monotonicMs()
      while (!isOver && !isClosed && !signal.aborted && elapsedSince(openedMs) < openMsMax) {
        const part = await readAfter(accountId, id, last).catch(failed)
        if (part.events.length > 0) {
          last = part.last
          yield part.events
          sentMs = monotonicMs()
        } else if (elapsedSince(sentMs) >= keepAliveMs) {
          yield []
          sentMs = monotonicMs()
        }
        isOver = part.isOver
        if (!isOver) await wakeUp.wait(lookMs)
      }
    } finally {
      stopListening()
      signal.removeEventListener('abort', wakeUp.wake)
      leave()
    }
  }

  /** Throws `not_found`, and `invalid_request` if `after` is past the newest event. */
  async function readAfter(accountId: string, executionId: string, after: number, path = ''): Promise<Part> {
    const page = await executions.readEvents(accountId, executionId, after)
    if (page === undefined) throw notFound('execution', executionId)
    const { status, eventCount, events } = page
    if (after > eventCount) {
      throw invalidRequest([
        { path, message: `must be at most ${eventCount}, the number of events so far, not ${after}` },
      ])
    }
    if (events.length < eventCount - after) return readSnapshot(accountId, executionId)
    // Read after its events, so that an execution whose end is among them has its outcome.
    const execution = events.some((event) => 'status' in event) && (await executions.find(accountId, executionId))
    const numbered = events.map((event, i) => numberedEvent(event, after + i + 1, execution || undefined, executionId))
    return { events: numbered, last: eventCount, isOver: isTerminal(status) }
  }

  /** Throws `not_found`. */
  async function readSnapshot(accountId: string, executionId: string): Promise<Part> {
    const found = await executions.findSnapshot(accountId, executionId)
    if (found === undefined) throw notFound('execution', executionId)
    const { execution, eventCount } = found
    const steps = await stepCalls(execution, found.steps)
    const event: ExecutionEvent = { id: eventCount, kind: 'snapshot', execution, steps }
    return { events: [event], last: eventCount, isOver: isTerminal(execution.status) }
  }

  return {
    async follow(accountId, executionId, request) {
      if (isClosed) throw new Fault('unavailable', 'The service is shutting down.')
      const { last, signal } = request
      const first =
        last === undefined
          ? await readSnapshot(accountId, executionId)
          : await readAfter(accountId, executionId, last.id, last.path)
      if (first.events.length === 0 && first.isOver) return undefined
      return stream({ accountId, id: executionId }, first, request, streams.enter(accountId, signal))
    },

    close() {
      isClosed = true
      wakeAll()
    },
  }
}

function numberedEvent(
  event: StoredEvent,
  id: number,
  execution: Execution | undefined,
  executionId: string,
): ExecutionEvent {
  if ('step' in event) return { id, kind: 'step', step: event.step }
  if (execution === undefined) throw notFound('execution', executionId)
  return { id, kind: 'execution', at: event.at, execution: atEvent(execution, event) }
}

/** The execution as it was at this event. It ends only once, so its last event has the outcome of now. */
function atEvent(execution: Execution, { status, at }: Extract<StoredEvent, { at: number }>): Execution {
  if (isTerminal(status)) return execution
  const { cost: _, ...unended } = execution
  return {
    ...unended,
    status,
    startedAt: status === 'running' ? at : null,
    completedAt: null,
    output: null,
    error: null,
  }
}
