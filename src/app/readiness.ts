/** Whether requests can be accepted: the response of the health check, and of readiness probes. */
import type { Logger } from 'pino'
import type { BlobStore } from '../domain/images/image.ts'
import type { Executor } from '../executor/executor.ts'
import type { Database } from '../storage/database/open.ts'

export interface Readiness {
  /** False until the service has started, and while it shuts down. */
  set(ready: boolean): void
  /** Undefined if requests can be accepted; otherwise the reason. */
  problem(): Promise<string | undefined>
}

interface Dependencies {
  database: Pick<Database, 'check'>
  blobs: Pick<BlobStore, 'check'>
  executor: Pick<Executor, 'problem'> | undefined
  log: Logger
}

export function createReadiness({ database, blobs, executor, log }: Dependencies): Readiness {
  let ready = false
  return {
    set(now) {
      ready = now
    },
    async problem() {
      if (!ready) return 'The service is starting or shutting down. Retry later.'
      const problem = executor?.problem()
      if (problem !== undefined) return problem
      try {
        await database.check()
        await blobs.check()
        return undefined
      } catch (err) {
        log.error({ err }, 'not ready')
        return 'The database or the image storage is unavailable. Retry later.'
      }
    },
  }
}
