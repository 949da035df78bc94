/**
 * Runs jobs in worker threads, which start when they are needed. One thread signs and the others read, so that slow files of unknown
 * origin delay no output. A thread runs one job at a time. While a job waits for a remote signature, the thread signs others. A job that
 * takes too long, or that crashes the thread, fails alone. The limits count CPU time, so that the work of others on the machine ends no job.
 */
import { Worker } from 'node:worker_threads'
import { elapsedPerCpuSecond } from '../domain/clock.ts'
import { limits } from '../limits.ts'
import type { FromWorker, ReadJob, SignJob, ToWorker, WorkerOptions, WorkerResult } from './messages.ts'

export interface ThreadsOptions extends WorkerOptions {
  /** Of CPU. Default: the limits. */
  signSeconds?: number
  readSeconds?: number
  elapsedPerCpu?: number
  idleSeconds?: number
  memoryBytesMax?: number
  /** One of them signs. At least 2. */
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
  /** Another job ended its thread, and it starts again. Its next thread runs no other job until this one is done. */
  wasLost: boolean
}

interface Thread {
  kind: Task['job']['kind']
  worker: Worker
  active: Task | undefined
  /** Ends the time limit of the active job. */
  unwatch: () => void
  /** Jobs that wait for their signature. */
  parked: Set<Task>
  signed: { task: Task; cose: Uint8Array | undefined }[]
  /** It takes no further jobs, because its memory has grown. */
  isRetired: boolean
  hasEnded: boolean
  idle: NodeJS.Timeout | undefined
}

const program = new URL('./worker.ts', import.meta.url)

export function createThreads(options: ThreadsOptions): Threads {
  const {
    signSeconds = limits.credentialsSeconds,
    readSeconds = limits.credentialsReadSeconds,
    elapsedPerCpu = elapsedPerCpuSecond,
    idleSeconds = limits.processIdleSeconds,
    memoryBytesMax = limits.credentialsMemoryBytesMax,
    threadsMax = limits.credentialsThreadsMax,
  } = options
  const seconds = { sign: signSeconds, read: readSeconds }
  const maxima = { sign: 1, read: threadsMax - 1 }
  const threads = new Set<Thread>()
  const waiting: Record<Thread['kind'], Task[]> = { sign: [], read: [] }
  let tasks = 0
  let isClosed = false

  function begin(kind: Thread['kind']): Thread {
    const { roots, ownLeaf, generator } = options
    const worker = new Worker(options.program ?? program, {
      workerData: { roots, ownLeaf, generator } satisfies WorkerOptions,
      // No keys and no settings.
      env: {},
      execArgv: [],
      stdin: false,
    })
    const thread: Thread = {
      kind,
      worker,
      active: undefined,
      unwatch: () => {},
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
    for (const kind of ['sign', 'read'] as const) {
      const running = () => [...threads].filter((thread) => thread.kind === kind).length
      while (waiting[kind].length > 0 && running() < maxima[kind] && !isClosed) fill(begin(kind))
    }
  }

  function fill(thread: Thread): void {
    if (thread.active || thread.hasEnded) return
    const next = thread.signed.shift()
    if (next) {
      thread.parked.delete(next.task)
      activate(thread, next.task, { id: next.task.id, cose: next.cose })
      return
    }
    const isTaken = thread.isRetired || [...thread.parked].some(({ wasLost }) => wasLost)
    const task = isTaken ? undefined : waiting[thread.kind].shift()
    if (task) activate(thread, task, { id: task.id, job: task.job })
    else if (thread.parked.size === 0) rest(thread)
  }

  function activate(thread: Thread, task: Task, message: ToWorker): void {
    clearTimeout(thread.idle)
    thread.worker.ref()
    thread.active = task
    thread.unwatch = watch(thread)
    thread.worker.postMessage(message)
  }

  /** Ends the thread when its job takes too long. Returns a function that ends the limit. */
  function watch(thread: Thread): () => void {
    const msMax = seconds[thread.kind] * 1_000
    const cpuMsBefore = cpuMsOf(thread.worker)
    const endThread = () => end(thread, new ThreadEnded(true))
    let isOver = false
    const check = async (): Promise<void> => {
      const msLeft = msMax - (await cpuMsOf(thread.worker)) + (await cpuMsBefore)
      if (isOver) return
      if (msLeft <= 0) endThread()
      else timer = setTimeout(check, Math.max(msLeft, 25))
    }
    let timer = setTimeout(check, msMax)
    const last = setTimeout(endThread, msMax * elapsedPerCpu)
    return () => {
      isOver = true
      clearTimeout(timer)
      clearTimeout(last)
    }
  }

  function receive(thread: Thread, message: FromWorker): void {
    const task = thread.active
    if (task?.id !== message.id) return
    thread.unwatch()
    thread.active = undefined
    if (message.kind === 'claim') {
      thread.parked.add(task)
      void finish(thread, task, message.claim)
      // A key of this process has signed before that, and the job continues before another one starts.
      setImmediate(dispatch)
    } else {
      settle(task, message.result)
      thread.isRetired ||= message.memoryBytes > memoryBytesMax
      dispatch()
    }
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
    for (const task of thread.parked) task.wasLost = true
    waiting[thread.kind].unshift(...thread.parked)
    thread.parked.clear()
    dispatch()
  }

  async function stop(thread: Thread): Promise<void> {
    thread.hasEnded = true
    threads.delete(thread)
    thread.unwatch()
    clearTimeout(thread.idle)
    await thread.worker.terminate()
  }

  return {
    async run(job, signal, cose) {
      signal.throwIfAborted()
      if (isClosed) throw new ThreadEnded(false)
      const task: Task = { ...Promise.withResolvers<WorkerResult>(), id: ++tasks, job, signal, cose, wasLost: false }
      const line = waiting[job.kind]
      const onAbort = () => {
        const at = line.indexOf(task)
        if (at < 0) return
        line.splice(at, 1)
        task.reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      line.push(task)
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
      for (const line of Object.values(waiting)) for (const task of line.splice(0)) task.reject(new ThreadEnded(false))
      const all = [...threads]
      for (const { active, parked } of all) for (const task of [active, ...parked]) task?.reject(new ThreadEnded(false))
      await Promise.all(all.map(stop))
    },
  }
}

/** 0 if the thread has ended. */
async function cpuMsOf(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1_000
  } catch {
    return 0
  }
}
