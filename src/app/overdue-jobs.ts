/** Handles image work that still runs after its time limit. */
import type { Logger } from 'pino'
import { onOverdueJob } from '../imaging/raster/jobs.ts'

/** `replace` ends this process, which another one replaces. Without it, such work is only logged. */
export function watchImageJobs(log: Logger, replace?: () => void): void {
  onOverdueJob(() => {
    if (replace === undefined) {
      log.error(
        'image work ignores its time limit and keeps its slot; restart the service, or use IMAGE_PROCESS=separate',
      )
      return
    }
    log.error({ pid: process.pid }, 'image work ignores its time limit, so the image process is replaced')
    replace()
  })
}
