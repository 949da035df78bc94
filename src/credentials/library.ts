/**
 * The C2PA library in processes. One of them reads and the others sign, so that slow files of unknown origin delay no output. While a job
 * waits for a remote signature, its process waits too.
 */

import { createFairQueue } from '../domain/fair-queue.ts'
import { failure } from '../errors.ts'
import { limits } from '../limits.ts'
import { createProcessPool, type PoolContext } from '../processes/process-pool.ts'
import { Processes } from '../processes/processes.ts'
import type { LibraryOptions, LibraryQuestion, LibraryResult, ReadJob, SignJob } from './messages.ts'

export interface LibrarySetup extends LibraryOptions {
  /** CPU time. Default: the limits. */
  signSeconds?: number
  readSeconds?: number
  /** The program. Default: the C2PA library. */
  program?: URL
}

export interface Library {
  /**
   * `cose` returns the signature of a claim; its error is the error of the job. Rejects with the reason of the signal, and with
   * `limit_exceeded` or `internal` if the job took too long or ended its process.
   */
  run(
    job: SignJob | ReadJob,
    signal: AbortSignal,
    cose?: (claim: Uint8Array) => Promise<Uint8Array>,
  ): Promise<LibraryResult>
  close(): void
}

export function createLibrary({
  signSeconds = limits.credentialsSeconds,
  readSeconds = limits.credentialsReadSeconds,
  program = new URL('./library-child.ts', import.meta.url),
  ...options
}: LibrarySetup): Library {
  const pool = (seconds: number, slots: number) => {
    const queue = createFairQueue({ slots })
    return createProcessPool<SignJob | ReadJob, LibraryResult, PoolContext, LibraryQuestion>({
      program,
      seconds,
      memoryBytes: () => limits.credentialsMemoryBytesMax,
      // Its memory never shrinks.
      idleBytesMax: limits.credentialsIdleBytesMax,
      schedule: ({ signal }, work) => queue.run({ signal }, work),
      tooLong: () => failure('limit_exceeded', 'The file took too long.'),
      tooLarge: () => failure('limit_exceeded', 'The file needs too much memory.'),
      ended: (cause) => failure('internal', 'The process for Content Credentials ended.', { cause }),
    })
  }
  const processes = new Processes()
  const pools = { sign: pool(signSeconds, limits.credentialsProcessesMax - 1), read: pool(readSeconds, 1) }
  return {
    async run(job, signal, cose) {
      let problem: { error: unknown } | undefined
      const result = await pools[job.kind].run(
        job,
        { signal, secondsLeft: () => Number.POSITIVE_INFINITY, processes },
        async (question) => {
          if (question === 'options') return options
          try {
            return await cose?.(question.claim)
          } catch (error) {
            problem = { error }
            return undefined
          }
        },
      )
      if (problem !== undefined) throw problem.error
      return result
    },
    close: () => processes.stop(),
  }
}
