/** Performs the executions that a queue gives it, whichever queue it is, until it is stopped. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../domain/clock.ts'
import type { Execution, ExecutionNotices, ExecutionQueue, ExecutionStore, YieldSlot } from '../domain/execution.ts'
import { createActivity } from './activity.ts'
import { LeaseLost, ShuttingDown } from './interruptions.ts'
import type { Perform } from './perform.ts'
import type { Turns } from './turns.ts'

export interface Worker {
  /** Takes no more; waits for what runs, at most so long; gives the rest back to the queue, to run elsewhere or later. */
  stop(graceSeconds: number): Promise<void>
}

interface Dependencies {
  queue: ExecutionQueue
  executions: ExecutionStore
  notices: ExecutionNotices
  perform: Perform
  runningMax: number
  /** Shared with other work of this process that can end it. */
  turns: Turns
  clock: Clock
  /** A fault that no execution is to blame for: the store did not answer, say. */
  onError(error: unknown): void
}

/** Before an execution is tried again that records or bytes were not there for: by then they may be. */
const retryMs = 5_000

/** How often it asks whether it may still write what it performs, in case a notice was lost. */
const lookMs = 1_500

interface Running {
  executionId: string
  attempt: number
  controller: AbortController
}

export async function startWorker({
  queue,
  executions,
  notices,
  perform,
  runningMax,
  turns,
  clock,
  onError,
}: Dependencies): Promise<Worker> {
  const running = new Set<Running>()
  const ending = new AbortController()
  let looking = false

  async function run(execution: Execution, taken: AbortSignal, meanwhile: YieldSlot): Promise<'ended' | 'again'> {
    const { id, attempt, isLastAttempt = false } = execution
    const controller = new AbortController()
    const activity = createActivity(execution, turns.of(isLastAttempt), executions, controller.signal)
    const each = { executionId: id, attempt, controller }
    running.add(each)
    const onTaken = () => controller.abort(new LeaseLost())
    taken.addEventListener('abort', onTaken)
    if (ending.signal.aborted) controller.abort(new ShuttingDown())
    try {
      await activity.begin()
      await perform(execution, controller, meanwhile, activity)
      notices.send({ kind: 'ended', executionId: id })
      return 'ended'
    } catch (error) {
      if (error instanceof LeaseLost) return 'ended'
      if (error instanceof ShuttingDown) await executions.release(id, attempt, clock.now()).catch(onError)
      else {
        onError(error)
        await pause(retryMs, undefined, { signal: ending.signal }).catch(() => undefined)
      }
      return 'again'
    } finally {
      activity.end()
      running.delete(each)
      taken.removeEventListener('abort', onTaken)
    }
  }

  async function look(): Promise<void> {
    if (looking || running.size === 0) return
    looking = true
    try {
      const asked = [...running]
      const right = new Set(await executions.whichRun(asked))
      for (const { executionId, controller } of asked) if (!right.has(executionId)) controller.abort(new LeaseLost())
    } catch {
      // Whoever cannot ask has not lost anything; what it writes is fenced.
    } finally {
      looking = false
    }
  }

  const stopListening = notices.listen((notice) => {
    if (notice.kind === 'missed') void look()
    if (notice.kind !== 'cancelled') return
    for (const { executionId, controller } of running) {
      if (executionId === notice.executionId) controller.abort(new LeaseLost())
    }
  })
  const timer = setInterval(look, lookMs)
  const taking = await queue.work({ atOnce: runningMax, run, onError }).catch((error) => {
    clearInterval(timer)
    stopListening()
    throw error
  })

  return {
    async stop(graceSeconds) {
      const stopped = taking.stop()
      const grace = new AbortController()
      await Promise.race([stopped, pause(graceSeconds * 1000, undefined, { signal: grace.signal, ref: false })])
      grace.abort()
      ending.abort()
      for (const { controller } of running) controller.abort(new ShuttingDown())
      await stopped
      clearInterval(timer)
      stopListening()
    },
  }
}
