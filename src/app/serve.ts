/** Service and worker processes: start, first start and graceful shutdown. */

import { flushCompileCache } from 'node:module'
import { type Config, secretValues } from '../config/config.ts'
import { systemClock } from '../domain/clock.ts'
import { newId } from '../domain/ids.ts'
import { createExecutor } from '../executor/executor.ts'
import { createApp, isTaken } from './app.ts'
import { banner } from './banner.ts'
import { missingConsole } from './console.ts'
import { isDevelopmentSigner } from './credentials.ts'
import { areDocsBuilt, missingDocs } from './docs.ts'
import { firstStart } from './first-start.ts'
import { createLog } from './log.ts'
import { configureHeap } from './memory.ts'
import { startTelemetry } from './telemetry.ts'
import { version } from './version.ts'
import { startWork } from './work.ts'

configureHeap()

export interface ServeOptions {
  /** Whether the service ends when its parent process ends. */
  endsWithParent: boolean
  /** False if only workers execute. The executor then does only jobs. */
  executes: boolean
}

/** Resolves with the exit code once the service has ended. */
export async function serve(config: Config, { endsWithParent, executes }: ServeOptions): Promise<number> {
  if (!executes && config.databaseUrl === undefined) return refuseAlone('serve --no-worker')
  const missing = missingConsole(config)
  if (missing !== undefined) {
    process.stderr.write(`${missing}\n`)
    return 1
  }
  // From the beginning: a signal during the start ends the service as soon as it has started.
  const end = endOf(endsWithParent)
  // Before the database is opened: a newer release would migrate the tables of an older one that is running.
  if (isTaken(config)) return refuseSecond(config)
  const log = createLog({ level: config.logLevel, dataDir: config.dataDir, secrets: secretValues(config) })
  const hint = missingDocs(config)
  if (hint !== undefined) log.warn(hint)
  const telemetry = await startTelemetry(config, log, 'service')
  const workerId = newId('wrk', systemClock.now())
  const executor = createExecutor({ log, workerId, runningMax: config.executionsRunningMax })
  const [app, server] = await openApp().catch(async (error) => {
    await executor.close()
    throw error
  })
  async function openApp() {
    const app = await createApp(config, log, { executor, workerId })
    return [app, await app.openServer()] as const
  }
  async function close(): Promise<void> {
    await executor.close()
    await app.close()
    await telemetry.close()
  }
  if (!app.lock()) {
    await close()
    return refuseSecond(config)
  }
  try {
    const port = await server.listen(config)
    const host = config.host.includes(':') ? `[${config.host}]` : config.host
    if (config.publicUrl !== undefined) log.info(`listening on http://${host}:${port}`)
    const publicUrl = config.publicUrl ?? `http://${host === '0.0.0.0' || host === '[::]' ? 'localhost' : host}:${port}`
    await app.setPublicUrl(publicUrl)
    telemetry.metrics?.readFrom(app.metricSources)
    await telemetry.metrics?.listen(executor.metricSamples)
    // The records have the newest schema now, and no other process serves them.
    executor.open(config, executes)
    // The key is shown once, so it is created only when it can be shown.
    const first = await app.exclusively('first-start', () =>
      firstStart(app, (facts) => log.warn(facts, 'an example was left out'), config.firstKeyFile),
    )
    const sweeping = app.startSweeping()
    // By default Node writes its cache of compiled modules at exit, so a killed service would leave none to the next start. Without a
    // cache this takes 0.3 s of CPU, so it happens before the first request.
    flushCompileCache()
    app.setReady(true)
    process.stdout.write(
      banner({
        version,
        publicUrl,
        dataDir: config.dataDir,
        hasConsole: config.console,
        hasDocs: config.docs,
        areDocsBuilt: areDocsBuilt(),
        isSelfSigned: isDevelopmentSigner(config),
        first,
      }),
    )

    const signal = await end
    log.info({ signal, graceSeconds: config.shutdownGraceSeconds }, 'shutting down')
    app.setReady(false)
    server.end(config.shutdownGraceSeconds * 1_000)
    app.services.executions.close()
    app.services.comparisons.close()
    app.services.draftPreviews.close()
    const graceSeconds = config.shutdownGraceSeconds
    await Promise.all([executor.stop(graceSeconds), app.services.executions.drain(graceSeconds)])
    // Last: event streams report the end of running executions.
    app.services.executionEvents.close()
    app.services.batchEvents.close()
    await sweeping.stop()
    await server.close()
    await close()
    log.info('stopped')
    return 0
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // A server that already listens would keep the process alive without a database.
    app.services.executions.close()
    await app.services.executions.drain(0)
    app.services.executionEvents.close()
    app.services.batchEvents.close()
    await server.close()
    await close()
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') throw error
    process.stderr.write(
      `The service can't listen on ${config.host}:${config.port}: ${message}. Set another PORT or HOST.\n`,
    )
    return 1
  }
}

/** Runs a process that only executes. Resolves with the exit code once it has ended. */
export async function work(config: Config, { endsWithParent }: Pick<ServeOptions, 'endsWithParent'>): Promise<number> {
  if (config.databaseUrl === undefined) return refuseAlone('worker')
  const end = endOf(endsWithParent)
  const log = createLog({ level: config.logLevel, dataDir: config.dataDir, secrets: secretValues(config) })
  const telemetry = await startTelemetry(config, log, 'worker')
  const app = await createApp(config, log)
  try {
    telemetry.metrics?.readFrom(app.metricSources)
    await telemetry.metrics?.listen()
    // With wrong credentials, for example, it would claim executions that other workers can run, and fail them.
    await app.checkBlobs()
    const work = await startWork(app)
    process.stdout.write(`Tintype ${version} is working: up to ${config.executionsRunningMax} concurrent executions.\n`)
    const signal = await end
    log.info({ signal, graceSeconds: config.shutdownGraceSeconds }, 'shutting down')
    await work.stop(config.shutdownGraceSeconds)
    log.info('stopped')
    return 0
  } finally {
    await app.close()
    await telemetry.close()
  }
}

function refuseSecond({ dataDir }: Config): number {
  process.stderr.write(`Another process already uses ${dataDir}. Stop it, or set DATA_DIR to another folder.\n`)
  return 1
}

function refuseAlone(command: string): number {
  process.stderr.write(
    `"tintype ${command}" requires DATABASE_URL: several processes can only share a PostgreSQL database.\n`,
  )
  return 2
}

const parentPollMs = 500

/** Resolves on a signal or when the parent process ends. */
function endOf(endsWithParent: boolean): Promise<string> {
  return new Promise((settle) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => settle(name))
    if (!endsWithParent) return
    const parent = process.ppid
    const timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      settle('the process that started it ended')
    }, parentPollMs)
    timer.unref()
  })
}
