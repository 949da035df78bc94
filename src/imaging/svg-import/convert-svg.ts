/** Converts an uploaded SVG to a workflow document in a process that may die: a file can need seconds and hundreds of megabytes to parse. */
import type { ImportedSvg } from '../../../shared/svg-import/import-svg.ts'
import { Fault, failure, invalidRequest, MachineBusy } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createProcessPool } from '../../processes/process-pool.ts'
import { inUploadTurn, type JobContext, runJob } from '../raster/jobs.ts'

export interface ConvertJob {
  /** The path of the file. */
  file: string
  /** The name of the workflow. */
  name: string
}

/** The account, and its share of the memory. */
export interface ConvertOptions extends Pick<JobContext, 'account' | 'reserve' | 'processes'> {
  signal?: AbortSignal | undefined
}

const pool = createProcessPool<ConvertJob, ImportedSvg, JobContext>({
  program: new URL('./convert-svg-child.ts', import.meta.url),
  schedule: runJob,
  seconds: limits.svgImportSeconds,
  memoryBytes: (_, isSecondTry) => (isSecondTry ? limits.svgMemoryBytesMax : limits.svgUsualMemoryBytes),
  idleBytesMax: limits.svgUsualMemoryBytes * 0.75,
  tooLong: (seconds) =>
    failure('limit_exceeded', `Reading the SVG took longer than ${seconds} s of CPU time, the maximum. Simplify it.`),
  tooLarge: () => failure('limit_exceeded', 'Reading the SVG exceeded the memory limit. Simplify it.'),
  ended: (cause) => failure('input_invalid', "The SVG can't be read. Simplify it, or export it again.", { cause }),
})

/** Throws `invalid_request` if the file is not an SVG that can be imported. */
export async function convertSvg(job: ConvertJob, { signal, ...options }: ConvertOptions): Promise<ImportedSvg> {
  const context: JobContext = {
    ...options,
    signal: signal ?? new AbortController().signal,
    secondsLeft: () => Number.POSITIVE_INFINITY,
  }
  try {
    return await inUploadTurn(context, (turn) => pool.run(job, turn))
  } catch (error) {
    if (signal?.aborted || !(error instanceof Fault) || error instanceof MachineBusy) throw error
    throw Object.assign(invalidRequest([{ path: 'file', message: error.message }]), { cause: error })
  }
}
