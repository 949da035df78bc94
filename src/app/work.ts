/** The work of `tintype worker`, and of the executor of a service: executions, batches and webhooks. */
import type { Worker, WorkerOptions } from '../worker/loop.ts'
import type { App } from './app.ts'

export type Work = Worker

export async function startWork(app: App, options?: Pick<WorkerOptions, 'onClaimed'>): Promise<Work> {
  const worker = await app.startWorker(options)
  const batches = app.startBatches()
  const sending = app.startSending()
  return {
    begin: worker.begin,
    async stop(graceSeconds) {
      await batches.stop()
      await Promise.all([worker.stop(graceSeconds), sending.stop(graceSeconds)])
    },
  }
}
