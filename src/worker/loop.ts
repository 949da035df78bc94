/** Runs the executions of a queue until it is stopped. */
import { setTimeout as pause } from 'node:timers/promises'
import { withGrace } from '../domain/abortable.ts'
import { atMostEvery } from '../domain/at-most-every.ts'
import type { Clock } from '../domain/clock.ts'
import type { Execution, ExecutionSlot, ExecutionStore } from '../domain/executions/execution.ts'
import type { ExecutionNotices } from '../domain/executions/execution-notice.ts'
import type { ExecutionQueue } from '../domain/executions/execution-queue.ts'
import type { FairQueue } from '../domain/fair-queue.ts'
import { createActivity } from './activity.ts'
import { LeaseLost, ShuttingDown } from './interruptions.ts'
import type { Perform } from './perform.ts'

export interface Worker {
  /** See `ExecutionQueue.work`. */
  begin(execution: Execution): void
  /** Claims no more, waits for running executions up to the limit, then returns the rest to the queue. */
  stop(graceSeconds: number): Promise<void>
}

export interface WorkerOptions {
  queue: ExecutionQueue
  executions: ExecutionStore
  notices: ExecutionNotices
  perform: Perform
  runningMax: number
  /** Places to run, for any number of executions, or for one in its last attempt. Shared with other work of this process, which could crash it. */
  places: FairQueue
  clock: Clock
  /** Receives an error that no execution has caused, for example of the database, once a minute: it is tried again every second. */
  onError(error: unknown): void
  /** Receives an error of the check whether executions still run here, once a minute. Their writes are checked anyway. */
  onUnchecked(error: unknown): void
  /** Receives an error of the record that an execution waits for a provider, once a minute. If the process crashes then, it counts as an attempt. */
  onUnparked(error: unknown): void
  /** See `ExecutionQueue.work`. */
  onClaimed?(count: number): void
}

/** The delay before an execution is retried after an unavailable dependency. */
const retryMs = 5_000

/** How often it checks that it may still write, in case a notice was lost. */
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
  places,
  clock,
  onUnchecked,
  onUnparked,
  onClaimed,
  ...reports
}: WorkerOptions): Promise<Worker> {
  const onError = atMostEvery(60_000, reports.onError)
  const reportUnchecked = atMostEvery(60_000, onUnchecked)
  const reportUnparked = atMostEvery(60_000, onUnparked)
  const running = new Set<Running>()
  const ending = new AbortController()
  let looking = false

  async function run(execution: Execution, leaseLost: AbortSignal, slot: ExecutionSlot): Promise<'ended' | 'again'> {
    const { id, attempt } = execution
    const controller = new AbortController()
    const activity = createActivity(execution, places, executions, {
      signal: controller.signal,
      onUnparked: reportUnparked,
    })
    const entry = { executionId: id, attempt, controller }
    running.add(entry)
    const onLeaseLost = () => controller.abort(new LeaseLost())
    leaseLost.addEventListener('abort', onLeaseLost)
    if (ending.signal.aborted) controller.abort(new ShuttingDown())
    try {
      await activity.start()
      const outcome = await perform(execution, controller, slot, activity)
      notices.send({ kind: 'ended', executionId: id, outcome })
      return 'ended'
    } catch (error) {
      if (error instanceof LeaseLost) {
        // A command may have ended it without a notice.
        notices.send({ kind: 'ended', executionId: id })
        return 'ended'
      }
      if (error instanceof ShuttingDown) await executions.release(id, attempt, clock.now()).catch(onError)
      else {
        onError(error)
        await pause(retryMs, undefined, { signal: ending.signal }).catch(() => undefined)
      }
      return 'again'
    } finally {
      activity.end()
      running.delete(entry)
      leaseLost.removeEventListener('abort', onLeaseLost)
    }
  }

  async function look(): Promise<void> {
    if (looking || running.size === 0) return
    looking = true
    try {
      const checked = [...running]
      const right = new Set(await executions.whichRun(checked))
      for (const { executionId, controller } of checked) if (!right.has(executionId)) controller.abort(new LeaseLost())
    } catch (error) {
      // The lease is not lost.
      reportUnchecked(error)
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
  const taking = await queue
    .work({ atOnce: runningMax, run, onError, ...(onClaimed && { onClaimed }) })
    .catch((error) => {
      clearInterval(timer)
      stopListening()
      throw error
    })

  return {
    begin: taking.begin,
    async stop(graceSeconds) {
      const stopped = taking.stop()
      await withGrace(stopped, graceSeconds)
      ending.abort()
      for (const { controller } of running) controller.abort(new ShuttingDown())
      await stopped
      clearInterval(timer)
      stopListening()
    },
  }
}
