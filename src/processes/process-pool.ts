/**
 * Processes for work on files that are not trusted: decoding, drawing, models, Content Credentials. Each does one job at a time and
 * stays for the next, so a job doesn't wait for a new process. A process ends after an idle time, when it has become large, and when
 * its job takes too long or too much memory. A process that crashes, or that someone kills, ends one job at most.
 */
import type { ChildProcess, Serializable } from 'node:child_process'
import { note, type ProcessEnd } from '../domain/observed.ts'
import { type Fault, failure, MachineBusy } from '../errors.ts'
import type { Reply } from './pool-program.ts'
import { childPollMs, createTimeLimit, type ReachedLimit, residentBytes } from './process-limits.ts'
import { dataOf, nameOf, type Processes, type Program } from './processes.ts'

/** The part of an execution or a request that a job needs. */
export interface PoolContext {
  signal: AbortSignal
  secondsLeft(): number
  processes: Processes
}

export interface PoolOptions<Job, Context extends PoolContext> extends Program {
  /** CPU time: see `createTimeLimit`. A process that the machine is too busy for ends later, and its job runs again, once. */
  seconds: number | ((job: Job) => number)
  /** Resident memory of a process with this job. The second try is in a new process. */
  memoryBytes(job: Job, isSecondTry: boolean): number
  /** Runs the work when it may start, and this much memory is available. */
  schedule<T>(context: Context, work: () => Promise<T>, memoryBytes: number): Promise<T>
  /** The job took this CPU time. */
  tooLong(seconds: number, job: Job): Fault
  tooLarge(job: Job): Fault
  /** The process ended twice. */
  ended(cause: Error, job: Job): Fault
}

/** Answers the questions of a job, such as for bytes that its process may have from an earlier job, and that are not sent with each one. */
export type Answer<Question> = (question: Question) => Promise<unknown>

export interface ProcessPool<Job extends Serializable, Result, Context extends PoolContext, Question = never> {
  /** Rejects with the fault of the job, and immediately with the reason of the signal. A job whose process ends runs again, once. */
  run(job: Job, context: Context, answer?: Answer<Question>): Promise<Result>
  /** Starts a process for the next job, unless one waits. */
  warm(processes: Processes): void
}

/** The process ended without a result. `fault`: the error if it happens again, unless it is the one of a process that ended by itself. */
class Ended extends Error {
  readonly isTooLarge: boolean
  readonly fault: Fault | undefined
  constructor(message: string, { isTooLarge = false, fault }: { isTooLarge?: boolean; fault?: Fault } = {}) {
    super(message)
    this.isTooLarge = isTooLarge
    this.fault = fault
  }
}

export function createProcessPool<
  Job extends Serializable,
  Result extends object,
  Context extends PoolContext,
  Question = never,
>(options: PoolOptions<Job, Context>): ProcessPool<Job, Result, Context, Question> {
  const { memoryBytes, schedule } = options
  const secondsOf = (job: Job) => (typeof options.seconds === 'number' ? options.seconds : options.seconds(job))

  async function runIn(
    child: ChildProcess,
    job: Job,
    { signal, secondsLeft, processes }: PoolContext,
    bytesMax: number,
    answer: Answer<Question> | undefined,
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const end = (error: Error, reason: ProcessEnd) => {
      reject(error)
      processes.kill(child, reason)
    }
    const seconds = secondsOf(job)
    const reachedLimit = createTimeLimit(child, seconds, secondsLeft())
    const poll = setInterval(() => {
      const reached = reachedLimit()
      if (reached?.kind === 'work') end(options.tooLong(seconds, job), 'work')
      else if (reached?.kind === 'deadline') end(outOfTime(reached), 'deadline')
      else if (reached?.kind === 'busy') end(new Ended('the machine is busy', { fault: tooBusy(reached) }), 'busy')
      else if (residentBytes(child) > bytesMax) end(new Ended('too much memory', { isTooLarge: true }), 'memory')
    }, childPollMs)
    const onAbort = () => end(signal.reason, 'aborted')
    const onFailure = (error: Error) => end(error, 'crash')
    const onExit = (code: number | null, by: string | null) => reject(new Ended(`the process ended: ${by ?? code}`))
    const onError = (error: Error) => reject(new Ended(`the process failed: ${error.message}`))
    const onMessage = (message: Reply<Result, Question>) => {
      if ('result' in message) receive(child, message).then(resolve, onFailure)
      else if ('fault' in message) reject(faultOf(message.fault))
      else if ('error' in message) reject(new Error(message.error))
      else
        answer?.(message.question).then(
          // A dying process reports it by `exit`; so does one that is gone when a file is read.
          (found) => void (child.connected && child.send({ answer: found, id: message.id }, () => {})),
          onFailure,
        )
    }
    child.on('message', onMessage)
    child.once('exit', onExit)
    child.once('error', onError)
    signal.addEventListener('abort', onAbort, { once: true })
    child.ref()
    child.channel?.ref()
    dataOf(child).ref()
    if (signal.aborted) onAbort()
    else if (child.connected) child.send({ job }, () => {})
    try {
      return await promise
    } finally {
      clearInterval(poll)
      child.off('message', onMessage)
      child.off('exit', onExit)
      child.off('error', onError)
      signal.removeEventListener('abort', onAbort)
      processes.rest(child)
    }
  }

  return {
    async run(job, context, answer) {
      const { processes } = context
      const stopsBefore = processes.stops
      let wasNew = false
      const attempt = (isSecondTry: boolean) => {
        const bytesMax = memoryBytes(job, isSecondTry)
        const work = () => {
          const child = isSecondTry ? undefined : processes.takeIdle(options)
          wasNew = child === undefined
          return runIn(child ?? processes.start(options), job, context, bytesMax, answer)
        }
        return schedule(context, work, bytesMax).catch((error) => {
          if (error instanceof Ended) return error
          throw error
        })
      }
      const first = await attempt(false)
      if (!(first instanceof Ended)) return first
      if (processes.stops !== stopsBefore) throw options.ended(first, job)
      if (first.isTooLarge && wasNew && memoryBytes(job, true) <= memoryBytes(job, false)) throw options.tooLarge(job)
      // Earlier jobs can be the reason why a process is large or ends.
      note('jobRepeated', { program: nameOf(options) })
      const second = await attempt(true)
      if (!(second instanceof Ended)) return second
      throw second.fault ?? (second.isTooLarge ? options.tooLarge(job) : options.ended(second, job))
    },
    warm: (processes) => processes.warm(options),
  }
}

/** Deadlines are signals, whose reason is the error. This is for a caller without one. */
function outOfTime({ elapsed }: ReachedLimit): Fault {
  return failure('timeout', `The time limit was reached ${elapsed.toFixed(1)} s after the work had started.`)
}

function tooBusy({ cpu, elapsed }: ReachedLimit): Fault {
  return new MachineBusy(
    `The machine is busy: in ${Math.round(elapsed)} s, this work got only ${cpu.toFixed(1)} s of CPU time, twice. The same request can succeed later. Repeat it.`,
  )
}

function faultOf({ reason, message, cause }: Extract<Reply<never, never>, { fault: object }>['fault']): Fault {
  return failure(reason, message, cause === undefined ? undefined : { cause })
}

/** The result of a job, with its data. Never settles if the process ends. */
async function receive<Result>(
  child: ChildProcess,
  { result, dataBytes }: Extract<Reply<Result, never>, { result: Result }>,
): Promise<Result> {
  if (dataBytes === undefined) return result
  const data = Buffer.allocUnsafe(dataBytes)
  const { promise, resolve } = Promise.withResolvers<void>()
  let at = 0
  const onData = (chunk: Buffer) => {
    at += chunk.copy(data, at)
    if (at === dataBytes) resolve()
  }
  const pipe = dataOf(child)
  pipe.on('data', onData).resume()
  if (dataBytes > 0) await promise
  pipe.off('data', onData).pause()
  return { ...result, data }
}
