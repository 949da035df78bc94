/**
 * The queue of all image work. libvips runs on libuv's threads: more concurrent jobs than cores make nothing faster,
 * and file reads and name look-ups wait behind them.
 */
import { availableParallelism } from 'node:os'
import { orAbort } from '../../domain/abortable.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import { Fault, failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Processes } from '../../processes/processes.ts'

/** The part of an execution or upload that a job needs. */
export interface JobContext {
  signal: AbortSignal
  secondsLeft(): number
  /** The processes for work on files that are not trusted. */
  processes: Processes
  /** Accounts alternate in the queue. */
  account?: string | undefined
  /** Pixels of the images that the job works on. */
  pixels?: number | undefined
  /** Whether the input is not trusted yet: then nothing is known about the time that the work takes. */
  isUntrusted?: boolean | undefined
  /** The file that the work ends in, and its pixels. */
  output?: { format: string; pixels: number } | undefined
  /** Waits until this much memory is available. Without it, memory isn't limited. */
  reserve?: ((bytes: number, signal: AbortSignal) => Promise<() => void>) | undefined
  /** Called with each job that starts; it settles when the job is really done. */
  onStart?: ((work: Promise<unknown>) => void) | undefined
}

/**
 * A job in libvips can't be interrupted. So that another account finds a slot, one account never fills all of them with long
 * jobs. A single slot can't be shared.
 */
const queue = createFairQueue({
  slots: availableParallelism(),
  perAccount: (slots, isLong) => (isLong ? Math.max(1, slots - 1) : slots),
})

/**
 * How many uploads are decoded at the same time; of each account, one fewer, so that a file that takes long never keeps out those of another
 * account. With four slots or more, half of them are left to executions.
 */
const uploadQueue = createFairQueue({
  slots: uploadsOf(availableParallelism()),
  perAccount: (slots) => slots - 1,
})

/** Sets the maximum number of concurrent jobs of the process. */
export function setJobSlots(count: number): void {
  queue.resize(count)
  uploadQueue.resize(uploadsOf(count))
}

function uploadsOf(slots: number): number {
  return Math.max(2, Math.floor(slots / 2))
}

/**
 * Runs `start` when the memory that it needs while it runs is available and a slot is free. When the signal aborts, the
 * promise rejects immediately; a libvips job that can't be stopped keeps its slot and its memory until it is done, and its
 * result is dropped.
 */
export async function runJob<T>(context: JobContext, start: () => Promise<T>, memoryBytes = 0): Promise<T> {
  const { signal, account, reserve } = context
  if (signal.aborted) throw abortFault(signal)
  // First the memory: a job that waits for memory in a slot could keep out the job that will free it.
  const releaseMemory = memoryBytes > 0 ? await reserve?.(memoryBytes, signal).catch(asAborted(signal)) : undefined
  const isLong = context.isUntrusted === true || costOf(context, memoryBytes) > limits.longJobPixels
  let leave: () => void
  try {
    leave = await queue.enter({ account, signal, isLong })
  } catch {
    releaseMemory?.()
    throw abortFault(signal)
  }
  const work = begin(start)
  const release = () => {
    releaseMemory?.()
    leave()
  }
  work.then(release, release)
  context.onStart?.(work)
  return unlessAborted(work, signal)
}

const bytesPerPixel = 4

/** Time to encode a pixel, relative to a JPEG, which takes up to 17 ns. The slowest of photos and noise. */
const encodingCosts: Record<string, number> = { webp: 6, png: 10, avif: 30, gif: 300 }

/** The pixels that other work handles in the time of this job. */
function costOf({ pixels = 0, output }: JobContext, memoryBytes: number): number {
  const encoding = output === undefined ? 0 : output.pixels * (encodingCosts[output.format] ?? 1)
  return Math.max(pixels, memoryBytes / bytesPerPixel, encoding)
}

/**
 * Runs the decoding of an upload when it is its account's turn. When the signal aborts, it leaves the line; if its turn has
 * come, the turn ends with the last of its jobs.
 */
export async function inUploadTurn<T, Context extends JobContext>(
  context: Context,
  decode: (context: Context) => Promise<T>,
): Promise<T> {
  const { account, signal } = context
  const leave = await uploadQueue.enter({ account, signal }).catch(asAborted(signal))
  const jobs: Promise<unknown>[] = []
  try {
    return await decode({ ...context, onStart: (job: Promise<unknown>) => jobs.push(job) })
  } finally {
    void Promise.allSettled(jobs).then(leave)
  }
}

/** Rejects with the fault of the abort as soon as the signal aborts. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return orAbort(work, signal).catch(asAborted(signal))
}

/** The error of an aborted step: the fault that it was aborted with, otherwise a cancellation. */
export function abortFault(signal: AbortSignal): Fault {
  return signal.reason instanceof Fault
    ? signal.reason
    : failure('cancelled', 'The execution ended before this step was complete.', { cause: signal.reason })
}

/** Passes on errors other than the abort: the memory may exceed the limit of an execution. */
function asAborted(signal: AbortSignal) {
  return (error: unknown): never => {
    throw signal.aborted ? abortFault(signal) : error
  }
}

async function begin<T>(start: () => Promise<T>): Promise<T> {
  return start()
}
