/** Composition of the metrics of a process. Without METRICS_PORT nothing is loaded. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { atMostEvery } from '../domain/at-most-every.ts'
import { elapsedSince, monotonicMs, systemClock } from '../domain/clock.ts'
import type { ExecutionStore, WaitingOfPlan } from '../domain/executions/execution.ts'
import { setObserver } from '../domain/observed.ts'
import type { MetricSources } from '../telemetry/metrics.ts'
import { version } from './version.ts'

export interface ProcessMetrics {
  /** Sources of the gauges, once the app is open. */
  readFrom(sources: MetricSources): void
  /** Samples for another process, which has the port. */
  samples(): Promise<object[]>
  /** Listens on METRICS_PORT. `others`: reads the samples of processes of this one. */
  listen(others?: () => Promise<object[]>): Promise<void>
  close(): Promise<void>
}

/** Observes this process from now on. Undefined if metrics are disabled. */
export async function startMetrics(
  { metricsPort: port, host }: Config,
  log: Logger,
  process: 'service' | 'executor' | 'worker',
): Promise<ProcessMetrics | undefined> {
  if (port === undefined) return undefined
  const [{ createMetrics }, { openMetricsServer }] = await Promise.all([
    import('../telemetry/metrics.ts'),
    import('../telemetry/metrics-server.ts'),
  ])
  const metrics = createMetrics({ process, version, clock: systemClock })
  setObserver(metrics.observer)
  let close = async () => {}
  return {
    readFrom: metrics.readFrom,
    samples: metrics.samples,
    async listen(others = async () => []) {
      const text = async () => metrics.text(await Promise.all([metrics.samples(), others()]))
      const server = await openMetricsServer({ host, port, contentType: metrics.contentType, text }).catch((error) => {
        throw new Error(`METRICS_PORT can't be used: ${error.message}. Set another METRICS_PORT or HOST.`)
      })
      close = server.close
      log.info({ port: server.port }, 'metrics')
    },
    async close() {
      setObserver(undefined)
      metrics.stop()
      await close()
    },
  }
}

/** Scrapes of several servers share a query. */
const queueMsMin = 5_000

/** The waiting executions, read at most every 5 seconds. Undefined after an error, until the next read. */
export function cachedQueue(
  { waitingByPlan }: Pick<ExecutionStore, 'waitingByPlan'>,
  onError: (error: unknown) => void,
): () => Promise<WaitingOfPlan[] | undefined> {
  const report = atMostEvery(60_000, onError)
  let read: { atMs: number; found: Promise<WaitingOfPlan[] | undefined> } | undefined
  return () => {
    if (read === undefined || elapsedSince(read.atMs) >= queueMsMin) {
      read = { atMs: monotonicMs(), found: waitingByPlan().catch(report as (error: unknown) => undefined) }
    }
    return read.found
  }
}
