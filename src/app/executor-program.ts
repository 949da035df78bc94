/**
 * The program of the executor: does what `tintype worker` does, and jobs for the service that started it. It keeps its records open itself, so only
 * small messages go between the two. It ends when the service is gone.
 */
import { writeFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { type Config, secretValues } from '../config/config.ts'
import type { ExecutionNotice } from '../domain/executions/execution-notice.ts'
import { failure } from '../errors.ts'
import { type FromExecutor, type Job, type ToExecutor, toSent } from '../executor/messages.ts'
import { type App, createApp } from './app.ts'
import { createLog } from './log.ts'
import { configureHeap } from './memory.ts'
import { startTelemetry, type Telemetry } from './telemetry.ts'
import { startWork, type Work } from './work.ts'

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
let telemetry: Telemetry | undefined
let work: Promise<Work> | undefined
let claimed = 0
let toldClaimed = 0

process.on('message', (message: ToExecutor) => {
  switch (message.kind) {
    case 'open':
      app = orEnd(opened(message.config, message.workerId))
      if (message.claims) work = orEnd(claiming())
      break
    case 'begin':
      void work?.then(({ begin }) => begin(message.execution))
      break
    case 'stop':
      void orEnd(stop(message.graceSeconds))
      break
    case 'close':
      void orEnd(close())
      break
    case 'job':
      void reply(message.id, message.job)
      break
    case 'abort':
      aborts.get(message.id)?.abort(failure('cancelled', 'The caller is gone.'))
      break
    case 'ping':
      tell({ kind: 'pong' })
      break
    case 'notice':
      for (const listener of listeners) listener(message.notice)
  }
})

function tell(message: FromExecutor): void {
  if (process.connected) process.send?.(message, () => undefined)
}

async function opened(config: Config, workerId: string): Promise<App> {
  log = createLog({ level: config.logLevel, dataDir: config.dataDir, secrets: secretValues(config) })
  const link = {
    send: (notice: ExecutionNotice) => tell({ kind: 'notice', notice }),
    listen: (notify: (notice: ExecutionNotice) => void) => void listeners.push(notify),
  }
  telemetry = await startTelemetry(config, log, 'executor')
  const app = await createApp({ ...config, console: false }, log, { link, workerId })
  telemetry.metrics?.readFrom(app.metricSources)
  tell({ kind: 'opened' })
  return app
}

async function claiming(): Promise<Work> {
  const started = await startWork(await opening(), { onClaimed: countClaimed })
  // Executions without attempts left have failed: their waiters must look.
  tell({ kind: 'notice', notice: { kind: 'missed' } })
  tell({ kind: 'claims' })
  return started
}

/** One that ends is usually followed by another, so the service hears of both together. */
function countClaimed(count: number): void {
  if (claimed === toldClaimed) setImmediate(tellClaimed)
  claimed = count
}

function tellClaimed(): void {
  if (claimed !== toldClaimed) tell({ kind: 'claimed', count: claimed })
  toldClaimed = claimed
}

function opening(): Promise<App> {
  return app ?? Promise.reject(new Error('The first message must be `open`.'))
}

/** The service starts another process. */
async function orEnd<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (err) {
    log?.error({ err }, 'the executor failed')
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
  const { decoding, services } = await opening()
  if (job.name === 'metrics') return (await telemetry?.metrics?.samples()) ?? []
  if (job.name === 'render') return decoding.renderImage(job.args.image, { rendition: job.args.rendition, signal })
  if (job.name === 'reexecute') return decoding.reexecute(job.args.account, job.args.output, signal)
  if (job.name === 'previewDraft')
    return services.draftPreviews.render(job.args.account, job.args.workflowId, job.args.request, signal)
  const { account, workflowId, document, ifVersion } = job.args
  return services.comparisons.preview(account, workflowId, document, {
    signal,
    ...(ifVersion === undefined ? {} : { ifVersion }),
  })
}

async function stop(graceSeconds: number): Promise<void> {
  await (await work)?.stop(graceSeconds)
  tell({ kind: 'stopped' })
}

async function close(): Promise<void> {
  const made = await opening()
  made.services.comparisons.close()
  made.services.draftPreviews.close()
  await made.close()
  await telemetry?.close()
  process.disconnect()
}
