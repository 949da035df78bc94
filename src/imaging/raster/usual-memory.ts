/** Child processes whose memory can't be predicted. */
import type { Fault } from '../../errors.ts'
import { type JobContext, runJob } from './jobs.ts'

/** Of one run of the child process: options of `runChild`. */
export interface ChildMemory {
  memoryBytesMax: number
  tooLarge(): Error
}

interface Bounds {
  usualBytes: number
  bytesMax: number
  /** For work that needs more than `bytesMax`. */
  fault(): Fault
}

class TooLarge extends Error {}

/** Runs the work as a job with enough memory for most and, if that is too little, again with the maximum. */
export async function inUsualMemory<Result>(
  context: JobContext,
  { usualBytes, bytesMax, fault }: Bounds,
  work: (memory: ChildMemory) => Promise<Result>,
): Promise<Result> {
  const within = (memoryBytesMax: number) =>
    runJob(context, () => work({ memoryBytesMax, tooLarge: () => new TooLarge() }), memoryBytesMax)
  try {
    return await within(usualBytes)
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
  }
  return within(bytesMax).catch((error) => {
    throw error instanceof TooLarge ? fault() : error
  })
}
