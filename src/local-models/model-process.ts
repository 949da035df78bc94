/** The process for local models. It keeps models loaded, so there is only one. */
import { createFairQueue } from '../domain/fair-queue.ts'
import { failure } from '../errors.ts'
import { abortFault, type JobContext, unlessAborted } from '../imaging/raster/jobs.ts'
import { createProcessPool, type ProcessPool } from '../processes/process-pool.ts'
import type { ModelJob, ModelReply } from './messages.ts'

export interface ModelProcessLimits {
  /** Memory of the process while it runs a job. */
  memoryBytesMax(): number
  /** CPU time of one job, for each of its threads. */
  secondsMax: number
}

export function createModelProcess({
  memoryBytesMax,
  secondsMax,
}: ModelProcessLimits): ProcessPool<ModelJob, ModelReply, JobContext> {
  // It is not one of the image jobs: with its low priority, it takes no core that they need.
  const queue = createFairQueue({ slots: 1 })
  return createProcessPool<ModelJob, ModelReply, JobContext>({
    program: new URL('./model-child.ts', import.meta.url),
    seconds: ({ threads }) => secondsMax * threads,
    memoryBytes: memoryBytesMax,
    async schedule({ signal, account }, work) {
      const leave = await queue.enter({ account, signal }).catch(() => {
        throw abortFault(signal)
      })
      return unlessAborted(work().finally(leave), signal)
    },
    tooLong: (seconds, { model }) =>
      failure(
        'limit_exceeded',
        `Local model "${model}" took longer than ${seconds} s of CPU time, the maximum. Use a smaller image or a faster model.`,
      ),
    tooLarge: ({ model }) =>
      failure(
        'limit_exceeded',
        `Local model "${model}" needs more than ${Math.floor(memoryBytesMax() / 1_000_000)} MB of memory. The operator can raise LOCAL_MODELS_MEMORY_MAX_BYTES. Otherwise use a smaller model.`,
      ),
    ended: (cause, { model }) => modelFailed(model, '.', retryLater, cause),
  })
}

export const retryLater = 'Retry. If it fails again, send the request id to the operator.'

export function modelFailed(model: string, problem: string, next: string, cause: unknown) {
  return failure('internal', `Local model "${model}" failed${problem} ${next}`, { cause })
}
