/**
 * Runs jobs in worker threads, which start when they are needed. A thread runs one job at a time. While a job waits for its
 * signature, the thread runs others. A job that takes too long, or that crashes the thread, fails alone.
 */
import { Worker } from 'node:worker_threads'
import { limits } from '../limits.ts'
import type { FromWorker, ReadJob, SignJob, ToWorker, WorkerOptions, WorkerResult } from './messages.ts'

export interface ThreadsOptions extends WorkerOptions {
  /** Default: the limits. */
  secondsMax?: number
  idleSeconds?: number
  memoryBytesMax?: number
  threadsMax?: number
  /** The program. Default: the C2PA library. */
  program?: URL
}

export interface Threads {
  /**
   * Settles when the thread is done with the job, also after an abort. `cose` returns the signature of a claim; its error is the
   * error of the job. Throws `ThreadEnded`, and the reason of the signal.
   */
  run(
    job: SignJob | ReadJob,
    signal: AbortSignal,
    cose?: (claim: Uint8Array) => Promise<Uint8Array>,
  ): Promise<WorkerResult>
  /** Threads that run now, for tests and monitoring. */
  count(): number
  close(): Promise<void>
}

/** The job took too long, or its thread crashed. */
export class ThreadEnded extends Error {
  readonly isTooSlow: boolean
  constructor(isTooSlow: boolean, cause?: unknown) {
    super(isTooSlow ? 'the job took too long' : 'the thread ended', { cause })
    this.name = 'ThreadEnded'
    this.isTooSlow = isTooSlow
  }
}

interface Task extends PromiseWithResolvers<WorkerResult> {
  id: number
  job: SignJob | ReadJob
  signal: AbortSignal
  cose: ((claim: Uint8Array) => Promise<Uint8Array>) | undefined
  /** Starts in a thread. One more if another job ended the thread. */
  starts: number
}

interface Thread {
  worker: Worker
  active: Task | undefined
  /** Ends a job that takes too long. */
  deadline: NodeJS.Timeout | undefined
  /** Jobs that wait for their signature. */
  parked: Set<Task>
  signed: { task: Task; cose: Uint8Array | undefined }[]
  /** It takes no further jobs, because its memory has grown. */
  isRetired: boolean
  hasEnded: boolean
  idle: NodeJS.Timeout | undefined
}

const startsMax = 3
const program = new URL('./worker.ts', import.meta.url)

export function createThreads(options: ThreadsOptions): Threads {
  const {
    secondsMax = limits.credentialsSeconds,
    idleSeconds = limits.credentialsIdleSeconds,
    memoryBytesMax = limits.credentialsMemoryBytesMax,
    threadsMax = limits.credentialsThreadsMax,
  } = options
  const threads = new Set<Thread>()
  const waiting: Task[] = []
  let tasks = 0
  let isClosed = false

  function begin(): Thread {
    const { roots, ownLeaf, generator } = options
    const worker = new Worker(options.program ?? program, {
      workerData: { roots, ownLeaf, generator } satisfies WorkerOptions,
      // No keys and no settings.
      env: {},
      execArgv: [],
      stdin: false,
    })
    const thread: Thread = {
      worker,
      active: undefined,
      deadline: undefined,
      parked: new Set(),
      signed: [],
      isRetired: false,
      hasEnded: false,
      idle: undefined,
    }
    worker.on('message', (message: FromWorker) => receive(thread, message))
    worker.once('error', (error) => end(thread, new ThreadEnded(false, error)))
    worker.once('exit', () => end(thread, new ThreadEnded(false)))
    threads.add(thread)
    return thread
  }

  /** Gives each free thread a job. */
  function dispatch(): void {
    for (const thread of threads) fill(thread)
    while (waiting.length > 0 && threads.size < threadsMax && !isClosed) fill(begin())
  }

  function fill(thread: Thread): void {
    if (thread.active || thread.hasEnded) return
    const next = thread.signed.shift()
    if (next) {
      thread.parked.delete(next.task)
      activate(thread, next.task, { id: next.task.id, cose: next.cose })
      return
    }
    const task = thread.isRetired ? undefined : waiting.shift()
    if (task) {
      task.starts += 1
      activate(thread, task, { id: task.id, job: task.job })
    } else if (thread.parked.size === 0) rest(thread)
  }

  function activate(thread: Thread, task: Task, message: ToWorker): void {
    clearTimeout(thread.idle)
    thread.worker.ref()
    thread.active = task
    thread.deadline = setTimeout(() => end(thread, new ThreadEnded(true)), secondsMax * 1_000)
    thread.worker.postMessage(message)
  }

  function receive(thread: Thread, message: FromWorker): void {
    const task = thread.active
    if (task?.id !== message.id) return
    clearTimeout(thread.deadline)
    thread.active = undefined
    if (message.kind === 'claim') {
      thread.parked.add(task)
      void finish(thread, task, message.claim)
    } else {
      settle(task, message.result)
      thread.isRetired ||= message.memoryBytes > memoryBytesMax
    }
    dispatch()
  }

  async function finish(thread: Thread, task: Task, claim: Uint8Array): Promise<void> {
    let cose: Uint8Array | undefined
    try {
      cose = await task.cose?.(claim)
    } catch (error) {
      task.reject(error)
    }
    // If the thread has ended, the job has started again in another one.
    if (!thread.parked.has(task)) return
    thread.signed.push({ task, cose })
    dispatch()
  }

  function settle(task: Task, result: WorkerResult): void {
    if (task.signal.aborted) task.reject(task.signal.reason)
    else task.resolve(result)
  }

  /** Without work, a thread ends after a time, and immediately if its memory has grown. */
  function rest(thread: Thread): void {
    thread.worker.unref()
    clearTimeout(thread.idle)
    if (thread.isRetired) void stop(thread)
    else thread.idle = setTimeout(() => void stop(thread), idleSeconds * 1_000).unref()
  }

  function end(thread: Thread, error: ThreadEnded): void {
    if (thread.hasEnded) return
    void stop(thread)
    thread.active?.reject(error)
    // The others start again, before the jobs that came later.
    for (const task of [...thread.parked].reverse()) {
      if (task.starts < startsMax) waiting.unshift(task)
      else task.reject(error)
    }
    thread.parked.clear()
    dispatch()
  }

  async function stop(thread: Thread): Promise<void> {
    thread.hasEnded = true
    threads.delete(thread)
    clearTimeout(thread.deadline)
    clearTimeout(thread.idle)
    await thread.worker.terminate()
  }

  return {
    async run(job, signal, cose) {
      signal.throwIfAborted()
      if (isClosed) throw new ThreadEnded(false)
      const task: Task = { ...Promise.withResolvers<WorkerResult>(), id: ++tasks, job, signal, cose, starts: 0 }
      const onAbort = () => {
        const at = waiting.indexOf(task)
        if (at < 0) return
        waiting.splice(at, 1)
        task.reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      waiting.push(task)
      dispatch()
      try {
        return await task.promise
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },
    count: () => threads.size,
    async close() {
      isClosed = true
      for (const task of waiting.splice(0)) task.reject(new ThreadEnded(false))
      const all = [...threads]
      for (const { active, parked } of all) for (const task of [active, ...parked]) task?.reject(new ThreadEnded(false))
      await Promise.all(all.map(stop))
    },
  }
}
