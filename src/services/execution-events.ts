/** What becomes of executions, told from their logs to whoever follows them, in whichever process they run. */
import { elapsedSince, monotonicMs } from '../domain/clock.ts'
import {
  type Execution,
  type ExecutionNotices,
  type ExecutionStore,
  isTerminal,
  type LoggedEvent,
  type LoggedExecution,
  type Step,
} from '../domain/execution.ts'
import { Fault, invalidRequest, notFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Executions } from './executions.ts'

/** `id`: the number of its line in the log; of a snapshot, of the last one that it contains. */
export type ExecutionEvent =
  | { id: number; kind: 'snapshot'; execution: Execution; steps: Step[] }
  | { id: number; kind: 'step'; step: Step }
  /** The execution as it stood then. */
  | { id: number; kind: 'execution'; at: number; execution: Execution }

export interface ExecutionEvents {
  /**
   * Without `last` a snapshot and what comes after it; with it, every event past that one, `path` being where it was asked for. It comes in parts, ends with the
   * execution, and says with an empty part that nothing has happened for a while. Undefined where the execution has
   * ended and all of it was told. Throws `not_found`, `invalid_request` where the log has not come so far, `rate_limited`
   * when the account follows too many. `signal`: nobody listens any more.
   */
  follow(
    accountId: string,
    executionId: string,
    last: { id: number; path: string } | undefined,
    signal: AbortSignal,
  ): Promise<AsyncIterable<ExecutionEvent[]> | undefined>
  /** Ends all: whoever listens goes on elsewhere, or later. */
  close(): void
}

interface Dependencies {
  executions: Pick<ExecutionStore, 'find' | 'findLogged' | 'readLog'>
  steps: Executions['tellable']
  notices: Pick<ExecutionNotices, 'listen'>
  /** Of one account, at once. */
  streamsMax: number
  /** Not every change is noticed, and a notice can be lost. */
  lookMs?: number
  keepAliveMs?: number
  openMsMax?: number
}

const retrySeconds = 5

export function createExecutionEvents({
  executions,
  steps: tellable,
  notices,
  streamsMax,
  lookMs = 1_000,
  keepAliveMs = limits.eventsKeepAliveSeconds * 1000,
  openMsMax = limits.eventStreamSeconds * 1000,
}: Dependencies): ExecutionEvents {
  /** How many are open, by account. */
  const open = new Map<string, number>()
  /** By execution, what wakes those who follow it. */
  const wakes = new Map<string, Set<() => void>>()
  let isClosed = false
  const wake = (all: Iterable<() => void> = []) => {
    for (const each of all) each()
  }
  const wakeAll = () => {
    for (const each of wakes.values()) wake(each)
  }
  notices.listen((notice) => {
    if (notice.kind === 'missed') wakeAll()
    else if (notice.kind !== 'enqueued') wake(wakes.get(notice.executionId))
  })

  /** Takes one of the account's places; gives it back once, however often it is told to. */
  function enter(accountId: string): () => void {
    const count = open.get(accountId) ?? 0
    if (count >= streamsMax) {
      const message = `The account follows ${streamsMax} executions at this process already; end one of these streams, or try again in ${retrySeconds} s.`
      throw new Fault('rate_limited', message, { limit: streamsMax, retryAfterSeconds: retrySeconds })
    }
    open.set(accountId, count + 1)
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      const left = (open.get(accountId) ?? 1) - 1
      if (left > 0) open.set(accountId, left)
      else open.delete(accountId)
    }
  }

  function listen(executionId: string, hear: () => void): () => void {
    const all = wakes.get(executionId) ?? new Set()
    wakes.set(executionId, all.add(hear))
    return () => {
      all.delete(hear)
      if (all.size === 0 && wakes.get(executionId) === all) wakes.delete(executionId)
    }
  }

  async function* tell(
    { execution, steps, log }: LoggedExecution,
    after: number | undefined,
    signal: AbortSignal,
    leave: () => void,
  ): AsyncGenerator<ExecutionEvent[], void> {
    const bell = createBell()
    const stopListening = listen(execution.id, bell.ring)
    signal.addEventListener('abort', bell.ring)
    try {
      const begunMs = monotonicMs()
      let { length: told } = log.events
      let { end } = log
      let isOver = isTerminal(execution.status)
      yield after === undefined
        ? [{ id: told, kind: 'snapshot', execution, steps }]
        : eventsOf(log.events.slice(after), after, execution)
      let toldMs = monotonicMs()
      while (!isOver && !isClosed && !signal.aborted && elapsedSince(begunMs) < openMsMax) {
        const more = await readMore(execution, end).catch(() => undefined)
        if (more && more.events.length > 0) {
          const first = told
          told += more.events.length
          end = more.end
          yield eventsOf(more.events, first, more.execution)
          toldMs = monotonicMs()
        } else if (elapsedSince(toldMs) >= keepAliveMs) {
          yield []
          toldMs = monotonicMs()
        }
        isOver = more?.isOver ?? false
        if (!isOver) await bell.heard(lookMs)
      }
    } finally {
      stopListening()
      signal.removeEventListener('abort', bell.ring)
      leave()
    }
  }

  async function readMore(execution: Execution, position: number) {
    const part = await executions.readLog(execution.id, position)
    if (part === undefined) return { events: [], end: position, isOver: true, execution }
    const isOver = isTerminal(part.status)
    const now = isOver ? await executions.find(execution.accountId, execution.id) : undefined
    return { events: part.events, end: part.end, isOver, execution: now ?? execution }
  }

  return {
    async follow(accountId, executionId, last, signal) {
      if (isClosed) throw new Fault('unavailable', 'The service is shutting down.')
      const logged = await executions.findLogged(accountId, executionId)
      if (logged === undefined) throw notFound('execution')
      const { execution, log } = logged
      const isOver = isTerminal(execution.status)
      const after = last?.id
      if (last !== undefined && last.id > log.events.length) {
        const message = `is ${last.id}, and the log has ${log.events.length} events so far`
        throw invalidRequest([{ path: last.path, message }])
      }
      if (after === log.events.length && isOver) return undefined
      const steps = after === undefined ? await tellable(execution, logged.steps) : []
      const leave = enter(accountId)
      // A stream that nobody begins to read does not come to its end.
      signal.addEventListener('abort', leave)
      if (signal.aborted) leave()
      return tell({ execution, steps, log }, after, signal, leave)
    },

    close() {
      isClosed = true
      wakeAll()
    },
  }
}

function eventsOf(events: LoggedEvent[], before: number, execution: Execution): ExecutionEvent[] {
  return events.map((event, i) => {
    const id = before + i + 1
    if ('step' in event) return { id, kind: 'step', step: event.step }
    return { id, kind: 'execution', at: event.at, execution: asItStood(execution, event) }
  })
}

/** It ends once, so that what it ended with is told by how it stands now. */
function asItStood(execution: Execution, { status, at }: Extract<LoggedEvent, { at: number }>): Execution {
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

/** Rung while nobody hears, it is heard at once the next time. */
function createBell() {
  let isRung = false
  let answer: (() => void) | undefined
  return {
    ring() {
      isRung = true
      answer?.()
    },
    async heard(msMax: number): Promise<void> {
      if (!isRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        answer = resolve
        const timer = setTimeout(resolve, msMax)
        await promise
        clearTimeout(timer)
        answer = undefined
      }
      isRung = false
    },
  }
}
