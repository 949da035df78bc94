/**
 * Runs local models: one job at a time, in a process that starts with the first job and ends after an idle time, when
 * a job is aborted, or when this process ends. A crash affects only one job.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Fault, failure } from '../errors.ts'
import { abortFault, type JobContext, runJob, unlessAborted } from '../imaging/raster/jobs.ts'
import { limits } from '../limits.ts'
import type { LocalModel, ModelImage, ModelOutputs } from './define-model.ts'
import type { ModelJob, ModelReply } from './messages.ts'
import { requireInstalled } from './store.ts'

/** Runs a graph on an image. Rejects immediately when the signal aborts, and kills the process. */
export async function runModel(
  model: LocalModel,
  graph: string,
  image: ModelImage,
  context: JobContext,
): Promise<ModelOutputs> {
  const paths = requireInstalled(model)
  return inTurn(context, () => request({ model: model.name, graph, image, threads, ...paths }, context.signal))
}

/** Kills the process if there is one; its running job fails. */
export function stopModels(): void {
  child?.kill('SIGKILL')
  child = undefined
}

/** The id of the process while it runs, for monitoring. */
export function modelsProcessId(): number | undefined {
  return child?.pid
}

const program = fileURLToPath(new URL('./model-child.ts', import.meta.url))
const threads = Math.min(limits.modelThreadsMax, availableParallelism())
const idleMs = limits.modelIdleSeconds * 1_000

let child: ChildProcess | undefined
let idle: NodeJS.Timeout | undefined
let jobs = 0
/** The end of the previous job; never rejects. */
let before: Promise<unknown> = Promise.resolve()

/** In sequence, and each as one of the image jobs, so that no more jobs than cores run. */
async function inTurn<T>(context: JobContext, start: () => Promise<T>): Promise<T> {
  const turn = before.then(() => runJob(context, start))
  before = turn.catch(() => {})
  // An aborted job doesn't wait for its turn.
  return unlessAborted(turn, context.signal)
}

async function request(job: Omit<ModelJob, 'id'>, signal: AbortSignal): Promise<ModelOutputs> {
  clearTimeout(idle)
  const running = child ?? startProcess()
  child = running
  jobs += 1
  const id = jobs
  const { promise, resolve, reject } = Promise.withResolvers<ModelOutputs>()
  const onMessage = (reply: ModelReply) => {
    if (reply.id !== id) return
    if ('outputs' in reply) resolve(reply.outputs)
    else reject(failed(job.model, reply.problem))
  }
  const onExit = (code: number | null, by: string | null) => {
    if (child === running) child = undefined
    reject(signal.aborted ? abortFault(signal) : failed(job.model, `its process ended: ${by ?? code}`))
  }
  const onAbort = () => {
    // The next job must not use a dying process.
    if (child === running) child = undefined
    running.kill('SIGKILL')
  }
  running.on('message', onMessage)
  running.once('exit', onExit)
  running.once('error', reject)
  signal.addEventListener('abort', onAbort, { once: true })
  running.ref()
  running.channel?.ref()
  // A dying process reports it by `exit`.
  running.send({ id, ...job }, () => {})
  try {
    return await promise
  } finally {
    running.off('message', onMessage)
    running.off('exit', onExit)
    running.off('error', reject)
    signal.removeEventListener('abort', onAbort)
    // It doesn't keep this process alive.
    running.unref()
    running.channel?.unref()
    idle = setTimeout(stopModels, idleMs).unref()
  }
}

function startProcess(): ChildProcess {
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

function failed(model: string, problem: string): Fault {
  return failure(
    'internal',
    `Local model "${model}" failed. Retry. If it fails again, send the request id to the operator.`,
    {
      cause: new Error(problem),
    },
  )
}
