/**
 * The one gate of all image work. libvips runs on libuv's threads: more jobs at once than cores make nothing faster and
 * keep file reads and name look-ups waiting behind them.
 */
import { availableParallelism } from 'node:os'
import { Fault, failure } from '../../errors.ts'

/** What a job must know of the execution that it works for. */
export interface JobContext {
  signal: AbortSignal
  secondsLeft(): number
}

let slots = availableParallelism()
let running = 0
const waiting: (() => void)[] = []

/** How many jobs run at once, over the whole process. */
export function setJobSlots(count: number): void {
  slots = count
  next()
}

/**
 * Runs `start` when a slot is free, in the order of asking. When the signal aborts, the promise rejects at once; work
 * that libvips cannot be talked out of keeps its slot until it is done, and its result is dropped.
 */
export async function runJob<T>(context: JobContext, start: () => Promise<T>): Promise<T> {
  await slot(context.signal)
  const work = begin(start)
  work.then(release, release)
  return unlessAborted(work, context.signal)
}

/** Rejects at once when the signal aborts, whatever becomes of the work. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onAbort = () => reject(abortFault(signal))
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  return promise
}

/** What a step that was aborted throws: the fault it was aborted with, else a cancellation. */
export function abortFault(signal: AbortSignal): Fault {
  return signal.reason instanceof Fault
    ? signal.reason
    : failure('cancelled', 'The execution was ended before this step was done.', { cause: signal.reason })
}

async function begin<T>(start: () => Promise<T>): Promise<T> {
  return start()
}

function slot(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(abortFault(signal))
  if (running < slots && waiting.length === 0) {
    running += 1
    return Promise.resolve()
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onTurn = () => {
    signal.removeEventListener('abort', onAbort)
    resolve()
  }
  const onAbort = () => {
    waiting.splice(waiting.indexOf(onTurn), 1)
    reject(abortFault(signal))
  }
  signal.addEventListener('abort', onAbort, { once: true })
  waiting.push(onTurn)
  return promise
}

function release(): void {
  running -= 1
  next()
}

function next(): void {
  while (running < slots) {
    const turn = waiting.shift()
    if (turn === undefined) return
    running += 1
    turn()
  }
}
