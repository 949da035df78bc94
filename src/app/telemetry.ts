/** Composition of the metrics and traces of a process. Without METRICS_PORT and OTEL_EXPORTER_OTLP_ENDPOINT nothing is loaded. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { atMostEvery } from '../domain/at-most-every.ts'
import { elapsedSince, monotonicMs, systemClock } from '../domain/clock.ts'
import type { ExecutionStore, WaitingOfPlan } from '../domain/executions/execution.ts'
import { type ObservedWork, type Observer, setObserver } from '../domain/observed.ts'
import type { MetricSources } from '../telemetry/metrics.ts'
import { version } from './version.ts'

export interface Telemetry {
  /** Undefined if metrics are disabled. */
  metrics: ProcessMetrics | undefined
  /** Sends the last spans, for some seconds at most. */
  close(): Promise<void>
}

export interface ProcessMetrics {
  /** Sources of the gauges, once the app is open. */
  readFrom(sources: MetricSources): void
  /** Samples for another process, which has the port. */
  samples(): Promise<object[]>
  /** Listens on METRICS_PORT. `others`: reads the samples of processes of this one. */
  listen(others?: () => Promise<object[]>): Promise<void>
}

type Part = { observer: Observer; close(): Promise<void> }

/** Observes this process from now on. */
export async function startTelemetry(
  config: Config,
  log: Logger,
  process: 'service' | 'executor' | 'worker',
): Promise<Telemetry> {
  const [metrics, traces] = await Promise.all([startMetrics(config, log, process), startTraces(config, log, process)])
  const parts: Part[] = [metrics, traces].filter((part) => part !== undefined)
  setObserver(combined(parts.map(({ observer }) => observer)))
  return {
    metrics,
    async close() {
      await Promise.all(parts.map((part) => part.close()))
      setObserver(undefined)
    },
  }
}

async function startMetrics(
  { metricsPort: port, host }: Config,
  log: Logger,
  process: 'service' | 'executor' | 'worker',
): Promise<(ProcessMetrics & Part) | undefined> {
  if (port === undefined) return undefined
  const [{ createMetrics }, { openMetricsServer }] = await Promise.all([
    import('../telemetry/metrics.ts'),
    import('../telemetry/metrics-server.ts'),
  ])
  const { observer, readFrom, samples, ...metrics } = createMetrics({ process, version, clock: systemClock })
  let close = async () => {}
  return {
    observer,
    readFrom,
    samples,
    async listen(others = async () => []) {
      const text = async () => metrics.text(await Promise.all([samples(), others()]))
      const server = await openMetricsServer({ host, port, contentType: metrics.contentType, text }).catch((error) => {
        throw new Error(`METRICS_PORT can't be used: ${error.message}. Set another METRICS_PORT or HOST.`)
      })
      close = server.close
      log.info({ port: server.port }, 'metrics')
    },
    async close() {
      metrics.stop()
      await close()
    },
  }
}

async function startTraces(
  { tracesEndpoint, tracesSampler: sampler, tracesSamplerRatio: ratio }: Config,
  log: Logger,
  process: 'service' | 'executor' | 'worker',
): Promise<Part | undefined> {
  if (tracesEndpoint === undefined) return undefined
  const { createTraces } = await import('../telemetry/traces.ts')
  return createTraces({
    process,
    version,
    sampler,
    ratio,
    onError: (err) => log.warn({ err }, 'spans can not be exported, and are dropped until the collector responds'),
    onRecovered: () => log.info('spans are exported again'),
  })
}

function combined(observers: readonly Observer[]): Observer | undefined {
  const [only, ...others] = observers
  if (others.length === 0) return only
  return {
    begin<Name extends keyof ObservedWork>(name: Name, facts: ObservedWork[Name]) {
      const all = observers.map((observer) => observer.begin(name, facts))
      return {
        run: (part) => all.reduce((inner, observation) => () => observation.run(inner), part)(),
        end(error) {
          for (const observation of all) observation.end(error)
        },
      }
    },
    note(name, facts) {
      for (const observer of observers) observer.note(name, facts)
    },
    trace: () => observers.map((observer) => observer.trace?.()).find((trace) => trace !== undefined),
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
