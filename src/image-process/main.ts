/**
 * The program of the image process: decodes uploads, renders thumbnails, compares versions and runs executions for the service that started it. It
 * keeps its records open itself, so only small messages go between the two. It ends when the service is gone.
 */
import { writeFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { type App, createApp } from '../app/app.ts'
import { createLog } from '../app/log.ts'
import { configureHeap } from '../app/memory.ts'
import { type Config, secretValues } from '../config/config.ts'
import type { ExecutionNotice } from '../domain/execution-notice.ts'
import { failure } from '../errors.ts'
import type { Worker } from '../worker/loop.ts'
import { type FromImageProcess, type Job, type ToImageProcess, toSent } from './messages.ts'

configureHeap()

// The service stops it: a terminal or systemd sends these signals to all processes of a service.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined)

// The service is gone, or has closed this process. The next process recovers executions that still run.
process.on('disconnect', () => process.exit())

try {
  // If memory runs out, local models (1000) end first, then this process, then the service.
  writeFileSync('/proc/self/oom_score_adj', '500')
} catch {
  // Not Linux.
}

const listeners: ((notice: ExecutionNotice) => void)[] = []
const aborts = new Map<number, AbortController>()
let log: Logger | undefined
let app: Promise<App> | undefined
let worker: Promise<Worker> | undefined

process.on('message', (message: ToImageProcess) => {
  if (message.kind === 'open') app = orEnd(opened(message.config, message.workerId))
  else if (message.kind === 'work') worker = orEnd(working())
  else if (message.kind === 'stop-work') void orEnd(stopWork(message.graceSeconds))
  else if (message.kind === 'close') void orEnd(close())
  else if (message.kind === 'job') void reply(message.id, message.job)
  else if (message.kind === 'abort') aborts.get(message.id)?.abort(failure('cancelled', 'The caller is gone.'))
  else if (message.kind === 'ping') tell({ kind: 'pong' })
  else for (const listener of listeners) listener(message.notice)
})

function tell(message: FromImageProcess): void {
  if (process.connected) process.send?.(message, () => undefined)
}

async function opened(config: Config, workerId: string): Promise<App> {
  log = createLog({ level: config.logLevel, dataDir: config.dataDir, secrets: secretValues(config) })
  // Not `exit`, which waits for the threads of native code.
  const link = {
    send: (notice: ExecutionNotice) => tell({ kind: 'notice', notice }),
    listen: (notify: (notice: ExecutionNotice) => void) => void listeners.push(notify),
  }
  const app = await createApp({ ...config, console: false }, log, { link, workerId })
  tell({ kind: 'opened' })
  return app
}

async function working(): Promise<Worker> {
  const started = await (await opening()).startWorker()
  // Executions without attempts left have failed: their waiters must look.
  tell({ kind: 'notice', notice: { kind: 'missed' } })
  tell({ kind: 'works' })
  return started
}

function opening(): Promise<App> {
  return app ?? Promise.reject(new Error('The first message must be `open`.'))
}

/** The service starts another process. */
async function orEnd<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (err) {
    log?.error({ err }, 'the image process failed')
    return process.exit(1)
  }
}

async function reply(id: number, job: Job): Promise<void> {
  const abort = new AbortController()
  aborts.set(id, abort)
  try {
    tell({ kind: 'result', id, result: await perform(job, abort.signal) })
  } catch (error) {
    tell({ kind: 'fault', id, fault: toSent(error) })
  } finally {
    aborts.delete(id)
  }
}

async function perform(job: Job, signal: AbortSignal): Promise<unknown> {
  const made = await opening()
  if (job.name === 'inspect') return made.decoding.inspect(job.args.file, { account: job.args.account, signal })
  if (job.name === 'render') return made.decoding.renderImage(job.args.image, { rendition: job.args.rendition, signal })
  if (job.name === 'reexecute') return made.decoding.reexecute(job.args.account, job.args.output, signal)
  const { account, workflowId, document, ifVersion } = job.args
  return made.services.comparisons.preview(account, workflowId, document, {
    signal,
    ...(ifVersion === undefined ? {} : { ifVersion }),
  })
}

async function stopWork(graceSeconds: number): Promise<void> {
  await (await worker)?.stop(graceSeconds)
  tell({ kind: 'stopped' })
}

async function close(): Promise<void> {
  const made = await opening()
  made.services.comparisons.close()
  await made.close()
  process.disconnect()
}
