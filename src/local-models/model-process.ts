/**
 * A process for local models: it runs one job at a time, starts with the first job, and ends after an idle time, when a job is
 * aborted or exceeds a limit, or when this process ends. A crash affects only one job.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createFairQueue } from '../domain/fair-queue.ts'
import { failure } from '../errors.ts'
import { childPollMs, residentBytes } from '../imaging/raster/child.ts'
import { abortFault, type JobContext, unlessAborted } from '../imaging/raster/jobs.ts'
import { limits } from '../limits.ts'
import type { ModelOutputs } from './define-model.ts'
import { FileChanged, type ModelJob, ModelProblem, type ModelReply } from './messages.ts'

export interface ModelProcess {
  /** Rejects immediately when the signal aborts, and kills the process. Throws a fault for a limit, and an error of the model otherwise. */
  run(job: Omit<ModelJob, 'id'>, context: JobContext): Promise<ModelOutputs>
  /** Kills the process if there is one; its running job fails. */
  stop(): void
  /** The id of the process while it runs. */
  pid(): number | undefined
}

const program = fileURLToPath(new URL('./model-child.ts', import.meta.url))
const idleMs = limits.modelIdleSeconds * 1_000

export interface ModelProcessLimits {
  /** Of the process while it runs a job. */
  memoryBytesMax(): number
  /** Of one job. */
  secondsMax: number
}

export function createModelProcess({ memoryBytesMax, secondsMax }: ModelProcessLimits): ModelProcess {
  // It is not one of the image jobs: with its low priority, it takes no core that they need.
  const queue = createFairQueue({ slots: 1 })
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let jobs = 0

  function stop(): void {
    child?.kill('SIGKILL')
    child = undefined
  }

  function start(): ChildProcess {
    const started = fork(program, [], {
      // An empty environment and no flags: no keys, no settings.
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    started.once('exit', () => {
      if (child === started) child = undefined
    })
    return started
  }

  async function request(job: Omit<ModelJob, 'id'>, signal: AbortSignal): Promise<ModelOutputs> {
    clearTimeout(idle)
    const running = child ?? start()
    child = running
    jobs += 1
    const id = jobs
    const { promise, resolve, reject } = Promise.withResolvers<ModelOutputs>()
    const onMessage = (reply: ModelReply) => {
      if (reply.id !== id) return
      if ('outputs' in reply) resolve(reply.outputs)
      else reject(errorOf(reply))
    }
    const onExit = (code: number | null, by: string | null) => {
      if (child === running) child = undefined
      reject(signal.aborted ? abortFault(signal) : new Error(`its process ended: ${by ?? code}`))
    }
    const kill = () => {
      // The next job must not use a dying process.
      if (child === running) child = undefined
      running.kill('SIGKILL')
    }
    const end = (error: Error) => {
      reject(error)
      kill()
    }
    const timer = setTimeout(() => end(tooLong(job.model, secondsMax)), secondsMax * 1_000)
    const poll = setInterval(() => {
      if (residentBytes(running) > memoryBytesMax()) end(tooLarge(job.model, memoryBytesMax()))
    }, childPollMs)
    running.on('message', onMessage)
    running.once('exit', onExit)
    running.once('error', reject)
    signal.addEventListener('abort', kill, { once: true })
    running.ref()
    running.channel?.ref()
    // A dying process reports it by `exit`.
    running.send({ id, ...job }, () => {})
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      clearInterval(poll)
      running.off('message', onMessage)
      running.off('exit', onExit)
      running.off('error', reject)
      signal.removeEventListener('abort', kill)
      // It doesn't keep this process alive.
      running.unref()
      running.channel?.unref()
      idle = setTimeout(stop, idleMs).unref()
    }
  }

  return {
    async run(job, { signal, account }) {
      const leave = await queue.enter({ account, signal }).catch(() => {
        throw abortFault(signal)
      })
      // A job that was aborted at the moment of its start has no listener yet that would kill it.
      const work = signal.aborted ? Promise.reject(abortFault(signal)) : request(job, signal)
      return unlessAborted(work.finally(leave), signal)
    },
    stop,
    pid: () => child?.pid,
  }
}

function errorOf({ problem, isModelProblem, isChanged }: Extract<ModelReply, { problem: string }>): Error {
  if (isChanged) return new FileChanged(problem)
  return isModelProblem ? new ModelProblem(problem) : new Error(problem)
}

function tooLong(model: string, seconds: number) {
  return failure(
    'limit_exceeded',
    `Local model "${model}" took longer than ${seconds} s. Use a smaller image or a faster model.`,
  )
}

function tooLarge(model: string, bytes: number) {
  return failure(
    'limit_exceeded',
    `Local model "${model}" needs more than ${Math.floor(bytes / 1_000_000)} MB of memory. The operator can raise LOCAL_MODELS_MEMORY_MAX_BYTES. Otherwise use a smaller model.`,
  )
}
