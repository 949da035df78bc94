/**
 * The processes that draw HTML. Each draws one document at a time and stays for the next, so a document doesn't wait for a new
 * process and its fonts. A process ends after an idle time, when it has become large, and when its document takes too long or too
 * much memory.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Fault, failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { memoryPollMs, residentBytes } from '../raster/child.ts'
import { abortFault, type JobContext, runJob } from '../raster/jobs.ts'
import type { HtmlJob, HtmlReply } from './messages.ts'

/** The gate of image jobs gives the turns, so there are at most as many processes as jobs. Rejects immediately when the signal aborts. */
export async function drawInProcess(job: HtmlJob, context: JobContext): Promise<HtmlReply> {
  const { htmlUsualMemoryBytes, htmlMemoryBytesMax } = limits
  const first = await attempt(job, context, htmlUsualMemoryBytes, takeProcess)
  if (!(first instanceof Ended)) return first
  // Earlier documents can be the reason why a process is large or ends.
  const second = await attempt(job, context, htmlMemoryBytesMax, startProcess)
  if (!(second instanceof Ended)) return second
  if (second.isTooLarge)
    throw failure('limit_exceeded', 'Drawing the HTML exceeded the memory limit. Simplify it, or draw it smaller.')
  throw failure('input_invalid', "The HTML can't be drawn: the renderer ended twice. Simplify the HTML and the CSS.", {
    cause: second,
  })
}

/** Kills the processes that are not drawing. */
export function stopHtmlProcesses(): void {
  for (const child of idle.splice(0)) child.kill('SIGKILL')
}

/** Ids of the processes that wait for a document, for monitoring. */
export function htmlProcessIds(): number[] {
  return idle.flatMap(({ pid }) => pid ?? [])
}

/** Why a process has no reply. */
class Ended extends Error {
  readonly isTooLarge: boolean
  constructor(message: string, isTooLarge: boolean) {
    super(message)
    this.isTooLarge = isTooLarge
  }
}

const program = fileURLToPath(new URL('./html-child.ts', import.meta.url))
/** The one that was used last is the last one. */
const idle: ChildProcess[] = []
const timers = new WeakMap<ChildProcess, NodeJS.Timeout>()

function attempt(
  job: HtmlJob,
  context: JobContext,
  memoryBytesMax: number,
  processFor: () => ChildProcess,
): Promise<HtmlReply | Ended> {
  return runJob(context, () => draw(processFor(), job, context, memoryBytesMax), memoryBytesMax).catch((error) => {
    if (error instanceof Ended) return error
    throw error
  })
}

function takeProcess(): ChildProcess {
  const child = idle.pop()
  clearTimeout(timers.get(child as ChildProcess))
  return child ?? startProcess()
}

function startProcess(): ChildProcess {
  const child = fork(program, [], {
    // An empty environment and no flags: no keys, no settings. One thread, because each process draws one document.
    env: { RAYON_NUM_THREADS: '1' },
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

function putBack(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null || !child.connected) return
  if (residentBytes(child) > limits.htmlUsualMemoryBytes * 0.75) {
    child.kill('SIGKILL')
    return
  }
  // It doesn't keep this process alive.
  child.unref()
  child.channel?.unref()
  idle.push(child)
  timers.set(child, setTimeout(() => child.kill('SIGKILL'), limits.htmlIdleSeconds * 1_000).unref())
}

async function draw(
  child: ChildProcess,
  job: HtmlJob,
  context: JobContext,
  memoryBytesMax: number,
): Promise<HtmlReply> {
  const { signal } = context
  const { promise, resolve, reject } = Promise.withResolvers<HtmlReply>()
  const end = (error: Error) => {
    reject(error)
    child.kill('SIGKILL')
  }
  const seconds = Math.min(limits.htmlSeconds, context.secondsLeft())
  const timer = setTimeout(() => end(tooLong(seconds)), seconds * 1_000)
  const poll = setInterval(() => {
    if (residentBytes(child) > memoryBytesMax) end(new Ended('too much memory', true))
  }, memoryPollMs)
  const onAbort = () => end(abortFault(signal))
  const onExit = (code: number | null, by: string | null) =>
    reject(new Ended(`the process ended: ${by ?? code}`, false))
  child.once('message', resolve)
  child.once('exit', onExit)
  child.once('error', reject)
  signal.addEventListener('abort', onAbort, { once: true })
  child.ref()
  child.channel?.ref()
  // A dying process reports it by `exit`.
  child.send(job, () => {})
  try {
    const reply = await promise
    putBack(child)
    return reply
  } finally {
    clearTimeout(timer)
    clearInterval(poll)
    child.off('message', resolve)
    child.off('exit', onExit)
    child.off('error', reject)
    signal.removeEventListener('abort', onAbort)
  }
}

function tooLong(seconds: number): Fault {
  return failure(
    'limit_exceeded',
    `Drawing the HTML took longer than ${Math.ceil(seconds)} s. Simplify the HTML and the CSS, or draw it smaller.`,
  )
}
