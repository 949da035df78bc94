/** The processes that draw HTML. */
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createProcessPool } from '../../processes/process-pool.ts'
import { type JobContext, runJob } from '../raster/jobs.ts'
import type { HtmlJob, HtmlReply } from './messages.ts'

const pool = createProcessPool<HtmlJob, HtmlReply, JobContext>({
  program: new URL('./html-child.ts', import.meta.url),
  // One thread, because each process draws one document.
  env: { RAYON_NUM_THREADS: '1' },
  schedule: runJob,
  seconds: () => limits.htmlSeconds,
  memoryBytes: (_, isSecondTry) => (isSecondTry ? limits.htmlMemoryBytesMax : limits.htmlUsualMemoryBytes),
  idleBytesMax: limits.htmlUsualMemoryBytes * 0.75,
  tooLong: (seconds) =>
    failure(
      'limit_exceeded',
      `Drawing the HTML took longer than ${seconds} s of CPU time, the maximum. Simplify the HTML and the CSS, or draw it smaller.`,
    ),
  tooLarge: () =>
    failure('limit_exceeded', 'Drawing the HTML exceeded the memory limit. Simplify it, or draw it smaller.'),
  ended: (cause) =>
    failure('input_invalid', "The HTML can't be drawn: the renderer ended twice. Simplify the HTML and the CSS.", {
      cause,
    }),
})

export function drawInProcess(job: HtmlJob, context: JobContext): Promise<HtmlReply> {
  return pool.run(job, context)
}
