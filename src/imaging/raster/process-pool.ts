/**
 * Processes that draw what is not trusted, such as HTML. Each does one job at a time and stays for the next, so a job doesn't wait
 * for a new process and its fonts. A process ends after an idle time, when it has become large, and when its job takes too long or
 * too much memory.
 */
import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import type { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { childPollMs, createTimeLimit, residentBytes } from './child.ts'
import { abortFault, type JobContext, runJob } from './jobs.ts'

export interface PoolOptions<Job> {
  /** A TypeScript file of the project. It replies to each message, which is a job, with one message. */
  program: string
  env?: Record<string, string>
  /** Of CPU: see `createTimeLimit`. */
  seconds: number
  /** For the first try. A process that has more than three quarters of it after a job ends. */
  usualMemoryBytes: number
  /** For the first try too: what this job needs in addition. */
  jobMemoryBytes?(job: Job): number
  /** For a second try in a new process. */
  memoryBytesMax: number
  tooLong(seconds: number, job: Job): Fault
  tooLarge(job: Job): Fault
  /** The process ended twice. */
  ended(cause: Error, job: Job): Fault
}

/** Answers the questions of a job: for bytes that its process may have from an earlier job, and that are not sent with each one. */
export type Answer<Question> = (question: Question) => Promise<Serializable>

export interface ProcessPool<Job extends Serializable, Reply, Question> {
  /** The gate of image jobs gives the turns, so there are at most as many processes as jobs. Rejects immediately when the signal aborts. */
  run(job: Job, context: JobContext, answer?: Answer<Question>): Promise<Reply>
  /** Kills the processes without a job. */
  stop(): void
  /** Ids of the processes that wait for a job, for monitoring. */
  ids(): number[]
}

/** Why a process has no reply. */
class Ended extends Error {
  readonly isTooLarge: boolean
  constructor(message: string, isTooLarge: boolean) {
    super(message)
    this.isTooLarge = isTooLarge
  }
}

export function createProcessPool<Job extends Serializable, Reply, Question = never>(
  options: PoolOptions<Job>,
): ProcessPool<Job, Reply, Question> {
  const { usualMemoryBytes, memoryBytesMax } = options
  /** The one that was used last is the last one. */
  const idle: ChildProcess[] = []
  const timers = new WeakMap<ChildProcess, NodeJS.Timeout>()

  function start(): ChildProcess {
    const child = fork(options.program, [], {
      // Of the environment, only what the program needs, and no flags: no keys, no settings.
      env: options.env ?? {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.once('exit', () => {
      const at = idle.indexOf(child)
      if (at >= 0) idle.splice(at, 1)
    })
    return child
  }

  function take(): ChildProcess {
    const child = idle.pop()
    if (child === undefined) return start()
    clearTimeout(timers.get(child))
    return child
  }

  function putBack(child: ChildProcess): void {
    if (child.exitCode !== null || child.signalCode !== null || !child.connected) return
    if (residentBytes(child) > usualMemoryBytes * 0.75) {
      child.kill('SIGKILL')
      return
    }
    // It doesn't keep this process alive.
    child.unref()
    child.channel?.unref()
    idle.push(child)
    timers.set(child, setTimeout(() => child.kill('SIGKILL'), limits.htmlIdleSeconds * 1_000).unref())
  }

  async function runIn(
    child: ChildProcess,
    job: Job,
    { signal, secondsLeft }: JobContext,
    bytesMax: number,
    answer: Answer<Question> | undefined,
  ): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const end = (error: Error) => {
      reject(error)
      child.kill('SIGKILL')
    }
    const exceededSeconds = createTimeLimit(child, options.seconds, secondsLeft())
    const poll = setInterval(() => {
      const exceeded = exceededSeconds()
      if (exceeded !== undefined) end(options.tooLong(exceeded, job))
      else if (residentBytes(child) > bytesMax) end(new Ended('too much memory', true))
    }, childPollMs)
    const onAbort = () => end(abortFault(signal))
    const onExit = (code: number | null, by: string | null) =>
      reject(new Ended(`the process ended: ${by ?? code}`, false))
    const onMessage = (message: Reply | { question: Question; id: number }) => {
      if (!isQuestion(message)) resolve(message)
      else
        answer?.(message.question).then(
          // A dying process reports it by `exit`; so does one that is gone when a file is read.
          (found) => void (child.connected && child.send({ answer: found, id: message.id }, () => {})),
          end,
        )
    }
    child.on('message', onMessage)
    child.once('exit', onExit)
    child.once('error', reject)
    signal.addEventListener('abort', onAbort, { once: true })
    child.ref()
    child.channel?.ref()
    child.send(job, () => {})
    try {
      const reply = await promise
      putBack(child)
      return reply
    } finally {
      clearInterval(poll)
      child.off('message', onMessage)
      child.off('exit', onExit)
      child.off('error', reject)
      signal.removeEventListener('abort', onAbort)
    }
  }

  return {
    async run(job, context, answer) {
      const attempt = (bytesMax: number, processFor: () => ChildProcess) =>
        runJob(context, () => runIn(processFor(), job, context, bytesMax, answer), bytesMax).catch((error) => {
          if (error instanceof Ended) return error
          throw error
        })
      const first = await attempt(usualMemoryBytes + (options.jobMemoryBytes?.(job) ?? 0), take)
      if (!(first instanceof Ended)) return first
      // Earlier jobs can be the reason why a process is large or ends.
      const second = await attempt(memoryBytesMax, start)
      if (!(second instanceof Ended)) return second
      throw second.isTooLarge ? options.tooLarge(job) : options.ended(second, job)
    },
    stop() {
      for (const child of idle.splice(0)) child.kill('SIGKILL')
    },
    ids: () => idle.flatMap(({ pid }) => pid ?? []),
  }
}

function isQuestion<Question>(message: unknown): message is { question: Question; id: number } {
  return typeof message === 'object' && message !== null && 'question' in message
}
