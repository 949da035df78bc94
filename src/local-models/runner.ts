/**
 * Runs local models: one job at a time, in a process that is begun with the first job and ended when none came for a while,
 * when a job is given up, or when this process ends. Whatever happens to it happens to one job.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Fault, failure } from '../errors.ts'
import { abortFault, type JobContext, runJob, unlessAborted } from '../imaging/raster/jobs.ts'
import { limits } from '../limits.ts'
import type { LocalModel, ModelImage, ModelOutputs } from './define-model.ts'
import type { ModelAnswer, ModelJob } from './messages.ts'
import { requireInstalled } from './store.ts'

/** What a graph gives for an image. Rejects at once when the signal aborts; the process is ended then. */
export async function runModel(
  model: LocalModel,
  graph: string,
  image: ModelImage,
  context: JobContext,
): Promise<ModelOutputs> {
  const places = requireInstalled(model)
  return inTurn(context, () => ask({ model: model.name, graph, image, threads, ...places }, context.signal))
}

/** Ends the process, if there is one; a job that runs in it fails. */
export function stopModels(): void {
  child?.kill('SIGKILL')
  child = undefined
}

/** For those who watch over processes: that of the models, while there is one. */
export function modelsProcessId(): number | undefined {
  return child?.pid
}

const program = fileURLToPath(new URL('./model-child.ts', import.meta.url))
/** More make hardly anything faster, and requests and image jobs want some too. */
const threads = Math.min(2, availableParallelism())
const idleMs = limits.modelIdleSeconds * 1_000

let child: ChildProcess | undefined
let idle: NodeJS.Timeout | undefined
let jobs = 0
/** The end of the job before; never rejects. */
let before: Promise<unknown> = Promise.resolve()

/** One after the other, and each as one of the image jobs, so that no more runs than there are cores. */
async function inTurn<T>(context: JobContext, start: () => Promise<T>): Promise<T> {
  const turn = before.then(() => runJob(context, start))
  before = turn.catch(() => {})
  // Whoever has given up does not wait for their turn.
  return unlessAborted(turn, context.signal)
}

async function ask(job: Omit<ModelJob, 'id'>, signal: AbortSignal): Promise<ModelOutputs> {
  clearTimeout(idle)
  const running = child ?? begin()
  child = running
  jobs += 1
  const id = jobs
  const { promise, resolve, reject } = Promise.withResolvers<ModelOutputs>()
  const onMessage = (answer: ModelAnswer) => {
    if (answer.id !== id) return
    if ('outputs' in answer) resolve(answer.outputs)
    else reject(failed(job.model, answer.problem))
  }
  const onExit = (code: number | null, by: string | null) => {
    if (child === running) child = undefined
    reject(signal.aborted ? abortFault(signal) : failed(job.model, `its process ended: ${by ?? code}`))
  }
  const onAbort = () => {
    // The next job is not to be given to one that is dying.
    if (child === running) child = undefined
    running.kill('SIGKILL')
  }
  running.on('message', onMessage)
  running.once('exit', onExit)
  running.once('error', reject)
  signal.addEventListener('abort', onAbort, { once: true })
  running.ref()
  running.channel?.ref()
  // One that is dying already tells so by `exit`.
  running.send({ id, ...job }, () => {})
  try {
    return await promise
  } finally {
    running.off('message', onMessage)
    running.off('exit', onExit)
    running.off('error', reject)
    signal.removeEventListener('abort', onAbort)
    // It keeps nobody from ending.
    running.unref()
    running.channel?.unref()
    idle = setTimeout(stopModels, idleMs).unref()
  }
}

function begin(): ChildProcess {
  const begun = fork(program, [], {
    // Nothing of this process's environment and flags: no key, no setting.
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  begun.once('exit', () => {
    if (child === begun) child = undefined
  })
  return begun
}

function failed(model: string, problem: string): Fault {
  return failure('internal', `The local model ${model} could not be run; the cause is in the log.`, {
    cause: new Error(problem),
  })
}
