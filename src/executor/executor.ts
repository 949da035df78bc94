/**
 * The executor, as the service sees it: a child process that claims and runs executions, runs batches, sends webhooks, and does the image work that
 * requests wait for. If it crashes or no longer responds, another one starts: it recovers the executions, and the service sends it the jobs again.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { orAbort } from '../domain/abortable.ts'
import { elapsedSince, monotonicMs } from '../domain/clock.ts'
import type { ExecutionNotice } from '../domain/executions/execution-notice.ts'
import type { HandOver } from '../domain/executions/execution-queue.ts'
import { note } from '../domain/observed.ts'
import { Fault } from '../errors.ts'
import { limits } from '../limits.ts'
import { cpuSeconds, elapsedPerCpuSecond, isWaitingForCore } from '../processes/process-limits.ts'
import type { Reexecute } from '../services/credentials/reexecutions.ts'
import type { RenderImage } from '../services/images/image-renderer.ts'
import type { Comparisons } from '../services/workflows/comparisons.ts'
import type { DraftPreviews } from '../services/workflows/draft-previews.ts'
import { type FromExecutor, fromSent, type Job, type Jobs, type ToExecutor } from './messages.ts'

export interface Executor extends ImageWork {
  /** Opens records and images in it, and in each process that replaces it. `claims`: whether it executes, or only does jobs. */
  open(config: Config, claims: boolean): void
  /** `close` of comparisons ends them as well. */
  draftPreviews: Pick<DraftPreviews, 'render'>
  /** Undefined unless executors end again and again soon after their start. */
  problem(): string | undefined
  link: NoticeLink
  handOver: HandOver
  /** The samples of its metrics. Empty if it doesn't respond in time. */
  metricSamples(): Promise<object[]>
  /** Returns running executions to the queue after this time. Jobs continue. */
  stop(graceSeconds: number): Promise<void>
  close(): Promise<void>
}

/** Image work that requests wait for. */
export interface ImageWork {
  renderImage: RenderImage
  reexecute: Reexecute
  comparisons: Pick<Comparisons, 'preview' | 'close'>
}

/** Carries notices between two processes. */
export interface NoticeLink {
  send(notice: ExecutionNotice): void
  listen(notify: (notice: ExecutionNotice) => void): void
}

interface Options {
  log: Logger
  /** See `ToExecutor`. */
  workerId: string
  /** Executions that it runs at the same time. */
  runningMax: number
}

/** One process, from its start to its end. */
interface RunningProcess {
  child: ChildProcess
  startMs: number
  jobs: Map<number, PromiseWithResolvers<unknown>>
  isOpen: boolean
  claims: boolean
  /** Executions that it has claimed itself. */
  claimed: number
  /** Ids of executions that were handed over to it, or are being recorded for that. */
  handedOver: Set<string>
  stopped: PromiseWithResolvers<void>
  ended: PromiseWithResolvers<void>
  hasEnded: boolean
  /** Pings since its last message. */
  pings: number
  /** Its CPU time in seconds at the first of them. */
  cpuBefore: number
  watch: NodeJS.Timeout
}

/** A process that ended earlier is replaced after a pause. */
const shortRunMs = 10_000
/** Short runs in a row after which the service is not ready. */
const shortRunsMax = 3
const pauseMsMin = 100
const pingMs = 1_000
/** Time to close: answers of AI providers that are paid for may be on their way. */
const closeMsMax = 15_000
/** A scrape doesn't wait longer for the executor. */
const metricsMsMax = 2_000
/** Runs of a job, as many as attempts of an execution. */
const jobRunsMax = limits.executionAttemptsMax
/** The executor does nothing with other notices. */
const sentKinds: ExecutionNotice['kind'][] = ['enqueued', 'cancelled', 'batch']

/** The process of a job ended before the job. */
class Interrupted extends Error {}

/** The process starts with `open`, so that it takes no processor from the start of the service. */
export function createExecutor({ log, workerId, runningMax }: Options): Executor {
  const listeners: ((notice: ExecutionNotice) => void)[] = []
  /** Ends comparisons and previews, and then everything. */
  const stoppingComparisons = new AbortController()
  const closing = new AbortController()
  let opening: Extract<ToExecutor, { kind: 'open' }> | undefined
  let stops = false
  let jobCount = 0
  let shortRuns = 0
  let restart: NodeJS.Timeout | undefined
  /** Resolves when a process is open, also if that is not the current one. */
  let open = Promise.withResolvers<void>()
  /** Interrupted jobs run again one after another: one that crashes its process each time then crashes no other. */
  let repeated: Promise<unknown> = Promise.resolve()
  let life: RunningProcess | undefined

  function start(): RunningProcess {
    const child = fork(program, [], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const running: RunningProcess = {
      child,
      startMs: monotonicMs(),
      jobs: new Map(),
      isOpen: false,
      claims: false,
      claimed: 0,
      handedOver: new Set(),
      stopped: Promise.withResolvers(),
      ended: Promise.withResolvers(),
      hasEnded: false,
      pings: 0,
      cpuBefore: 0,
      watch: setInterval(() => ping(running), pingMs).unref(),
    }
    child.on('message', (message: FromExecutor) => notify(running, message))
    child.once('exit', (code, signal) => onEnd(running, signal ? { signal } : { code }))
    child.once('error', (err) => onEnd(running, { err }))
    if (opening !== undefined) send(running, opening)
    return running
  }

  function send({ child }: RunningProcess, message: ToExecutor): void {
    // If it can't be sent, the process is ending, and `exit` follows.
    if (child.connected) child.send(message, () => undefined)
  }

  /**
   * Kills a process that no longer responds: it would keep all executions and requests. Counts pings, not time: the machine can have been
   * suspended. A process that only waits for a core gets more time.
   */
  function ping(running: RunningProcess): void {
    if (!running.isOpen) return
    if (running.pings === 0) running.cpuBefore = cpuSeconds(running.child) ?? 0
    if (isSilent(running)) {
      log.error({ pid: running.child.pid }, 'the executor does not respond and is killed')
      running.child.kill('SIGKILL')
      return
    }
    running.pings += 1
    send(running, { kind: 'ping' })
  }

  function notify(from: RunningProcess, message: FromExecutor): void {
    from.pings = 0
    switch (message.kind) {
      case 'opened':
        from.isOpen = true
        open.resolve()
        break
      case 'claims':
        from.claims = true
        break
      case 'claimed':
        from.claimed = message.count
        break
      case 'stopped':
        from.stopped.resolve()
        break
      case 'result':
        from.jobs.get(message.id)?.resolve(message.result)
        break
      case 'fault':
        from.jobs.get(message.id)?.reject(fromSent(message.fault))
        break
      case 'notice':
        for (const listener of listeners) listener(message.notice)
        break
      case 'pong':
    }
  }

  function onEnd(ended: RunningProcess, how: object): void {
    if (ended.hasEnded) return
    ended.hasEnded = true
    clearInterval(ended.watch)
    const wasOpen = ended.isOpen
    ended.isOpen = false
    ended.claims = false
    ended.stopped.resolve()
    ended.ended.resolve()
    if (wasOpen) open = Promise.withResolvers()
    for (const job of ended.jobs.values()) job.reject(new Interrupted())
    if (closing.signal.aborted || stops) return
    note('executorEnded', {})
    const livedMs = elapsedSince(ended.startMs)
    shortRuns = livedMs < shortRunMs ? shortRuns + 1 : 0
    const pauseMs = shortRuns > 1 ? Math.min(limits.executorPauseSecondsMax * 1_000, pauseMsMin * 2 ** shortRuns) : 0
    log.error({ ...how, livedMs: Math.round(livedMs), pauseMs }, 'the executor ended, another one starts')
    restart = setTimeout(() => {
      life = start()
    }, pauseMs)
  }

  /** Rejects with `unavailable` if no process gets ready in time, and with the reason of the signal. */
  async function untilOpen(signal: AbortSignal): Promise<RunningProcess> {
    if (life?.isOpen) return life
    const aborting = new AbortController()
    const timer = setTimeout(() => aborting.abort(notRunning()), limits.executorWaitSeconds * 1_000)
    try {
      while (!life?.isOpen) await orAbort(open.promise, AbortSignal.any([signal, aborting.signal]))
      return life
    } finally {
      clearTimeout(timer)
    }
  }

  async function run<Name extends keyof Jobs>(
    job: Job & { name: Name },
    ...callers: (AbortSignal | undefined)[]
  ): Promise<Jobs[Name]['result']> {
    return (await runUntilDone(job, callers)) as Jobs[Name]['result']
  }

  async function runUntilDone(job: Job, callers: (AbortSignal | undefined)[]): Promise<unknown> {
    const signal = AbortSignal.any([closing.signal, ...callers.filter((caller) => caller !== undefined)])
    for (let runs = 1; ; runs++) {
      try {
        if (runs === 1) return await runOnce(job, signal)
        const next = repeated.then(() => runOnce(job, signal))
        repeated = next.catch(() => undefined)
        return await next
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error
        if (runs === jobRunsMax) throw lost()
      }
    }
  }

  async function runOnce(job: Job, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted()
    const at = await untilOpen(signal)
    const id = ++jobCount
    const reply = Promise.withResolvers<unknown>()
    at.jobs.set(id, reply)
    send(at, { kind: 'job', id, job })
    try {
      return await orAbort(reply.promise, signal)
    } catch (error) {
      if (signal.aborted) send(at, { kind: 'abort', id })
      throw error
    } finally {
      at.jobs.delete(id)
    }
  }

  return {
    open(config, claims) {
      opening = { kind: 'open', config, workerId, claims }
      life = start()
    },

    problem: () =>
      shortRuns >= shortRunsMax && !life?.isOpen
        ? 'The executor has ended several times soon after its start. The log has the reason.'
        : undefined,

    renderImage: ({ id, accountId, format, size, width, height, origin }, { rendition, signal }) =>
      run(
        { name: 'render', args: { image: { id, accountId, format, size, width, height, origin }, rendition } },
        signal,
      ),
    reexecute: (account, output, signal) =>
      run({ name: 'reexecute', args: { account, output } }, signal, stoppingComparisons.signal),
    comparisons: {
      preview: (account, workflowId, document, { ifVersion, signal } = {}) =>
        run(
          { name: 'compare', args: { account, workflowId, document, ifVersion } },
          signal,
          stoppingComparisons.signal,
        ),
      close: () => stoppingComparisons.abort(new Fault('unavailable', 'The service is shutting down. Retry later.')),
    },

    draftPreviews: {
      render: (account, workflowId, request, signal) =>
        run({ name: 'previewDraft', args: { account, workflowId, request } }, signal, stoppingComparisons.signal),
    },

    metricSamples: () => run({ name: 'metrics', args: {} }, AbortSignal.timeout(metricsMsMax)).catch(() => []),

    link: {
      send(notice) {
        if (life && sentKinds.includes(notice.kind)) send(life, { kind: 'notice', notice })
      },
      listen: (notify) => void listeners.push(notify),
    },

    handOver: {
      take({ id }) {
        const at = life
        if (!at?.claims || stops || at.claimed + at.handedOver.size >= runningMax) return undefined
        at.handedOver.add(id)
        return {
          begin(execution) {
            if (!at.claims || stops) return false
            send(at, { kind: 'begin', execution })
            return true
          },
          leave: () => void at.handedOver.delete(id),
        }
      },
      ended: (executionId) => void life?.handedOver.delete(executionId),
      forget: () => life?.handedOver.clear(),
    },

    async stop(graceSeconds) {
      stops = true
      clearTimeout(restart)
      const last = life
      if (last === undefined || last.hasEnded) return
      send(last, { kind: 'stop', graceSeconds })
      await last.stopped.promise
    },

    async close() {
      closing.abort(notRunning())
      clearTimeout(restart)
      const last = life
      if (last === undefined || last.hasEnded) return
      // One that has nothing open loses nothing.
      if (last.isOpen) send(last, { kind: 'close' })
      else last.child.kill('SIGKILL')
      const timer = setTimeout(() => last.child.kill('SIGKILL'), closeMsMax)
      await last.ended.promise
      clearTimeout(timer)
    },
  }
}

const program = fileURLToPath(new URL('../app/executor-program.ts', import.meta.url))

function isSilent({ child, pings, cpuBefore }: RunningProcess): boolean {
  const seconds = limits.executorSilentSeconds
  const silentSeconds = (pings * pingMs) / 1_000
  if (silentSeconds < seconds) return false
  return silentSeconds >= seconds * elapsedPerCpuSecond || !isWaitingForCore(child, { cpuBefore, seconds })
}

function lost(): Fault {
  return new Fault('unavailable', `The executor ended ${jobRunsMax} times while it handled this request. Retry later.`)
}

function notRunning(): Fault {
  return new Fault('unavailable', 'The executor is restarting. Retry.')
}
