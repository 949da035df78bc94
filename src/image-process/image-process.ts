/**
 * The image process, as the service sees it: a child process that decodes uploads, renders thumbnails, compares versions, runs executions, and runs them again to verify their outputs. If it
 * crashes or no longer responds, the service continues and starts another one, which recovers the executions of the lost one.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { orAbort } from '../domain/abortable.ts'
import { elapsedSince, monotonicMs } from '../domain/clock.ts'
import type { ExecutionNotice } from '../domain/execution-notice.ts'
import { Fault } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Comparisons } from '../services/comparisons.ts'
import type { Inspect } from '../services/images.ts'
import type { Reexecute } from '../services/reexecutions.ts'
import type { RenderImage } from '../services/render-image.ts'
import { type FromImageProcess, fromSent, type Job, type Jobs, type ToImageProcess } from './messages.ts'

export interface ImageProcess {
  /** Opens records and images in it. Rejects if the process ends instead. */
  open(config: Config): Promise<void>
  /** Executes in it, and in each process that replaces it. */
  startWorker(): Promise<{ stop(graceSeconds: number): Promise<void> }>
  /** False while it starts. */
  isReady(): boolean
  inspect: Inspect
  renderImage: RenderImage
  reexecute: Reexecute
  /** `preview`, and `close`. */
  comparisons: Pick<Comparisons, 'preview' | 'close'>
  link: NoticeLink
  close(): Promise<void>
}

/** Carries notices between two processes. */
export interface NoticeLink {
  send(notice: ExecutionNotice): void
  listen(notify: (notice: ExecutionNotice) => void): void
}

interface Options {
  log: Logger
  /** See `ToImageProcess`. */
  workerId: string
}

/** One process, from its start to its end. */
interface RunningProcess {
  child: ChildProcess
  startMs: number
  jobs: Map<number, PromiseWithResolvers<unknown>>
  opened: PromiseWithResolvers<void>
  isOpen: boolean
  works: PromiseWithResolvers<void>
  isWorking: boolean
  stopped: PromiseWithResolvers<void>
  ended: PromiseWithResolvers<void>
  hasEnded: boolean
  /** Pings since its last message. */
  pings: number
  watch: NodeJS.Timeout
}

/** A process that ended earlier is replaced after a pause. */
const shortRunMs = 10_000
const pauseMsMin = 100
const pingMs = 1_000
/** Time to close: answers of AI providers that are paid for may be on their way. */
const closeMsMax = 15_000
/** The image process does nothing with other notices. */
const sentKinds: ExecutionNotice['kind'][] = ['enqueued', 'cancelled']

/** Starts the process immediately: it loads its code while the service starts. */
export function createImageProcess({ log, workerId }: Options): ImageProcess {
  const listeners: ((notice: ExecutionNotice) => void)[] = []
  /** Ends comparisons, and then everything. */
  const stoppingComparisons = new AbortController()
  const closing = new AbortController()
  let config: Config | undefined
  let works = false
  let stops = false
  let jobCount = 0
  let shortRuns = 0
  let restart: NodeJS.Timeout | undefined
  /** Resolves when a process is open, also if that is not the current one. */
  let open = Promise.withResolvers<void>()
  let life = start()

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
      opened: Promise.withResolvers(),
      isOpen: false,
      works: Promise.withResolvers(),
      isWorking: false,
      stopped: Promise.withResolvers(),
      ended: Promise.withResolvers(),
      hasEnded: false,
      pings: 0,
      watch: setInterval(() => ping(running), pingMs).unref(),
    }
    running.opened.promise.catch(() => undefined)
    child.on('message', (message: FromImageProcess) => notify(running, message))
    child.once('exit', (code, signal) => onEnd(running, signal ? { signal } : { code }))
    child.once('error', (err) => onEnd(running, { err }))
    return running
  }

  function send({ child }: RunningProcess, message: ToImageProcess): void {
    // If it can't be sent, the process is ending, and `exit` follows.
    if (child.connected) child.send(message, () => undefined)
  }

  /**
   * Kills a process that no longer responds: it would keep all executions and requests. Counts pings, not time: the machine can have been
   * suspended.
   */
  function ping(running: RunningProcess): void {
    if (!running.isOpen) return
    if (running.pings * pingMs >= limits.imageProcessSilentSeconds * 1_000) {
      log.error({ pid: running.child.pid }, 'the image process does not respond and is killed')
      running.child.kill('SIGKILL')
      return
    }
    running.pings += 1
    send(running, { kind: 'ping' })
  }

  function notify(from: RunningProcess, message: FromImageProcess): void {
    from.pings = 0
    switch (message.kind) {
      case 'opened':
        from.isOpen = true
        from.opened.resolve()
        open.resolve()
        break
      case 'works':
        from.isWorking = true
        from.works.resolve()
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
    ended.isWorking = false
    ended.opened.reject(new Error('The image process ended before it was ready.'))
    ended.works.resolve()
    ended.stopped.resolve()
    ended.ended.resolve()
    for (const job of ended.jobs.values()) job.reject(interrupted())
    if (closing.signal.aborted || stops) return
    if (wasOpen) open = Promise.withResolvers()
    const livedMs = elapsedSince(ended.startMs)
    shortRuns = livedMs < shortRunMs ? shortRuns + 1 : 0
    const pauseMs =
      shortRuns > 1 ? Math.min(limits.imageProcessPauseSecondsMax * 1_000, pauseMsMin * 2 ** shortRuns) : 0
    log.error({ ...how, livedMs: Math.round(livedMs), pauseMs }, 'the image process ended, another one starts')
    restart = setTimeout(() => {
      life = start()
      if (config !== undefined) send(life, { kind: 'open', config, workerId })
      if (works) send(life, { kind: 'work' })
    }, pauseMs)
  }

  /** Rejects with `unavailable` if no process gets ready in time, and with the reason of the signal. */
  async function untilOpen(signal: AbortSignal): Promise<void> {
    if (life.isOpen) return
    const aborting = new AbortController()
    const seconds = limits.imageProcessWaitSeconds
    const timer = setTimeout(() => aborting.abort(notRunning()), seconds * 1_000)
    try {
      while (!life.isOpen) await orAbort(open.promise, AbortSignal.any([signal, aborting.signal]))
    } finally {
      clearTimeout(timer)
    }
  }

  async function run<Name extends keyof Jobs>(
    job: Job & { name: Name },
    ...callers: (AbortSignal | undefined)[]
  ): Promise<Jobs[Name]['result']> {
    const signal = AbortSignal.any([closing.signal, ...callers.filter((caller) => caller !== undefined)])
    signal.throwIfAborted()
    await untilOpen(signal)
    const at = life
    const id = ++jobCount
    const reply = Promise.withResolvers<unknown>()
    at.jobs.set(id, reply)
    send(at, { kind: 'job', id, job })
    try {
      return (await orAbort(reply.promise, signal)) as Jobs[Name]['result']
    } catch (error) {
      if (signal.aborted) send(at, { kind: 'abort', id })
      throw error
    } finally {
      at.jobs.delete(id)
    }
  }

  return {
    async open(settings) {
      config = settings
      send(life, { kind: 'open', config, workerId })
      await life.opened.promise
    },

    async startWorker() {
      works = true
      send(life, { kind: 'work' })
      await life.works.promise
      return {
        async stop(graceSeconds) {
          works = false
          stops = true
          clearTimeout(restart)
          if (!life.hasEnded) send(life, { kind: 'stop-work', graceSeconds })
          await life.stopped.promise
        },
      }
    },

    isReady: () => life.isOpen && (life.isWorking || !works),
    inspect: (file, { account, signal }) => run({ name: 'inspect', args: { file, account } }, signal),
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

    link: {
      send(notice) {
        if (sentKinds.includes(notice.kind)) send(life, { kind: 'notice', notice })
      },
      listen: (notify) => void listeners.push(notify),
    },

    async close() {
      closing.abort(notRunning())
      clearTimeout(restart)
      if (life.hasEnded) return
      // One that has nothing open loses nothing.
      if (life.isOpen) send(life, { kind: 'close' })
      else life.child.kill('SIGKILL')
      const timer = setTimeout(() => life.child.kill('SIGKILL'), closeMsMax)
      await life.ended.promise
      clearTimeout(timer)
    },
  }
}

const program = fileURLToPath(new URL('./main.ts', import.meta.url))

function interrupted(): Fault {
  return new Fault('unavailable', 'The image process ended while it handled this request. Retry.')
}

function notRunning(): Fault {
  return new Fault('unavailable', 'The image process is restarting. Retry.')
}
