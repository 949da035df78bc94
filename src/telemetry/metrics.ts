/** The metrics of a process, as an observer and a text for Prometheus. The only file that imports prom-client: only a process with METRICS_PORT loads it. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { planNames } from '../domain/accounts/plan.ts'
import { type Clock, elapsedSince, monotonicMs } from '../domain/clock.ts'
import type { WaitingOfPlan } from '../domain/executions/execution.ts'
import type { Observation, ObservedEvents, ObservedWork, Observer } from '../domain/observed.ts'
import { type MetricDefinition, type MetricName, metricDefinitions } from './definitions.ts'

/** The samples of a process in a form that can be sent. */
export type MetricSamples = object[]

export interface Metrics {
  observer: Observer
  /** Sources of the gauges, once the app is open. */
  readFrom(sources: MetricSources): void
  contentType: string
  /** Reads the gauges. */
  samples(): Promise<MetricSamples>
  /** The text for Prometheus, also of the samples of other processes. */
  text(samples: MetricSamples[]): Promise<string>
  stop(): void
}

export interface MetricSources {
  /** Undefined if they can't be read. */
  queue?: (() => Promise<WaitingOfPlan[] | undefined>) | undefined
  /** Connections of the pool. Undefined without a pool. */
  connections?: (() => { open: number; idle: number; waiting: number }) | undefined
  /** Whether the catalog has the model, as `provider/model`. */
  isKnownModel(name: string): boolean
}

interface Options {
  process: 'service' | 'executor' | 'worker'
  version: string
  clock: Clock
}

/** Other methods of requests without a route have one series. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** The event loop wakes up this often to measure its delay. */
const delayResolutionMs = 100

export function createMetrics(options: Options): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process: options.process })
  let sources: MetricSources = { isKnownModel: () => false }
  const delay = monitorEventLoopDelay({ resolution: delayResolutionMs })
  delay.enable()
  const metrics = registered(registry)
  metrics.gauge('tintype_build_info').set({ version: options.version }, 1)
  metrics.gauge('process_start_time_seconds').set((options.clock.now() - process.uptime() * 1_000) / 1_000)
  const collect = collecting(metrics, delay, () => sources, options.clock)
  return {
    observer: observing(metrics, (name) => sources.isKnownModel(name)),
    readFrom(next) {
      sources = next
    },
    contentType: registry.contentType,
    async samples() {
      await collect()
      return registry.getMetricsAsJSON()
    },
    text: (samples) => AggregatorRegistry.aggregate(samples).metrics(),
    stop: () => void delay.disable(),
  }
}

type Registered = ReturnType<typeof registered>

function registered(registry: Registry) {
  const all = new Map<string, Counter | Gauge | Histogram>()
  for (const [name, { type, help, labels = {}, buckets }] of Object.entries<MetricDefinition>(metricDefinitions)) {
    const configuration = { name, help, labelNames: Object.keys(labels), registers: [registry] }
    if (type === 'counter') all.set(name, new Counter(configuration))
    else if (type === 'gauge') all.set(name, new Gauge(configuration))
    else all.set(name, new Histogram({ ...configuration, buckets: [...(buckets ?? [])] }))
  }
  return {
    counter: (name: MetricName) => all.get(name) as Counter,
    gauge: (name: MetricName) => all.get(name) as Gauge,
    histogram: (name: MetricName) => all.get(name) as Histogram,
  }
}

function observing({ counter, gauge, histogram }: Registered, isKnownModel: MetricSources['isKnownModel']): Observer {
  const running = gauge('tintype_executions_running')
  const processes = gauge('tintype_pool_processes')
  const requests = histogram('tintype_http_request_duration_seconds')
  const steps = histogram('tintype_step_duration_seconds')
  const lookUps = counter('tintype_cache_lookups_total')
  const batchRows = counter('tintype_batch_rows_total')

  type Ended<Name extends keyof ObservedWork> = (facts: ObservedWork[Name], seconds: number, error: unknown) => void
  const begun: { [Name in keyof ObservedWork]?: (facts: ObservedWork[Name]) => void } = {
    execution({ execution }) {
      running.inc()
      if (execution.attempt !== 1 || execution.startedAt === null) return
      const waitedMs = execution.startedAt - execution.createdAt
      histogram('tintype_execution_wait_seconds').observe(Math.max(0, waitedMs / 1_000))
    },
  }
  const ended: { [Name in keyof ObservedWork]: Ended<Name> } = {
    request({ method, route = 'other', status, elapsedMs }, seconds) {
      const labels = {
        method: methods.includes(method) ? method : 'other',
        route,
        status: status === undefined ? 'none' : `${Math.floor(status / 100)}xx`,
      }
      requests.observe(labels, elapsedMs / 1_000 + seconds)
    },
    execution({ execution, outcome }, seconds) {
      running.dec()
      if (outcome === undefined) return
      histogram('tintype_execution_duration_seconds').observe({ outcome }, seconds)
      if (execution.batchId !== undefined) batchRows.inc({ outcome })
    },
    step({ operation, from, signal }, seconds, error) {
      if (from !== undefined) return
      const outcome = error === undefined ? 'completed' : signal.aborted ? 'cancelled' : 'failed'
      steps.observe({ operation, outcome }, seconds)
    },
    modelCall({ provider, model: name, outcome = 'open', row }, seconds) {
      const labels = { provider, model: isKnownModel(`${provider}/${name}`) ? name : 'other' }
      histogram('tintype_provider_call_duration_seconds').observe({ ...labels, outcome }, seconds)
      if (row === undefined) return
      if (row.costMicros === null) counter('tintype_provider_unknown_costs_total').inc(labels)
      else counter('tintype_provider_cost_usd_total').inc(labels, row.costMicros / 1e6)
    },
    webhook({ outcome, lagMs }, seconds) {
      if (outcome === undefined) return
      histogram('tintype_webhook_attempt_duration_seconds').observe({ outcome }, seconds)
      if (lagMs !== undefined) histogram('tintype_webhook_lag_seconds').observe(Math.max(0, lagMs / 1_000))
    },
    batch() {},
  }
  const noted: { [Name in keyof ObservedEvents]: (facts: ObservedEvents[Name]) => void } = {
    executionEnded: ({ reason }) =>
      counter('tintype_executions_total').inc({
        outcome: reason === undefined ? 'completed' : 'failed',
        reason: reason ?? '',
      }),
    cacheLookUp: ({ kind, isHit }) => lookUps.inc({ kind, result: isHit ? 'hit' : 'miss' }),
    cacheBytes: ({ direction, bytes }) => counter(`tintype_cache_${direction}_bytes_total`).inc(bytes),
    processStarted({ program }) {
      processes.inc({ program })
      counter('tintype_pool_process_starts_total').inc({ program })
    },
    processEnded({ program, reason }) {
      processes.dec({ program })
      counter('tintype_pool_process_ends_total').inc({ program, reason })
    },
    jobRepeated: ({ program }) => counter('tintype_pool_job_repeats_total').inc({ program }),
    executorEnded: () => counter('tintype_executor_restarts_total').inc(),
    batchRows: ({ outcome, rows }) => batchRows.inc({ outcome }, rows),
  }
  return {
    begin<Name extends keyof ObservedWork>(name: Name, facts: ObservedWork[Name]): Observation {
      const startMs = monotonicMs()
      begun[name]?.(facts)
      return {
        run: (part) => part(),
        end: (error) => ended[name](facts, elapsedSince(startMs) / 1_000, error),
      }
    },
    note: (name, facts) => noted[name](facts),
  }
}

/** Sets the gauges that are read at a scrape. */
function collecting(
  { counter, gauge }: Registered,
  delay: ReturnType<typeof monitorEventLoopDelay>,
  sources: () => MetricSources,
  clock: Clock,
) {
  let utilization = performance.eventLoopUtilization()
  let cpuSeconds = 0

  function readProcess(): void {
    const { user, system } = process.cpuUsage()
    const seconds = (user + system) / 1e6
    counter('process_cpu_seconds_total').inc(seconds - cpuSeconds)
    cpuSeconds = seconds
    const { rss, heapUsed } = process.memoryUsage()
    gauge('process_resident_memory_bytes').set(rss)
    gauge('tintype_heap_used_bytes').set(heapUsed)
    const now = performance.eventLoopUtilization()
    gauge('tintype_event_loop_utilization_ratio').set(performance.eventLoopUtilization(now, utilization).utilization)
    utilization = now
    gauge('tintype_event_loop_delay_p99_seconds').set(delayOf(delay.percentile(99)))
    gauge('tintype_event_loop_delay_max_seconds').set(delayOf(delay.max))
    delay.reset()
  }

  async function readQueue(): Promise<void> {
    const states = await sources().queue?.()
    const [waiting, age] = [gauge('tintype_queue_executions'), gauge('tintype_queue_oldest_age_seconds')]
    waiting.reset()
    age.reset()
    if (states === undefined) return
    const now = clock.now()
    for (const plan of planNames) {
      for (const mayStart of [true, false]) {
        const found = states.find((each) => each.plan === plan && each.mayStart === mayStart)
        const labels = { plan, state: mayStart ? 'ready' : 'limited' }
        waiting.set(labels, found?.waiting ?? 0)
        age.set(labels, found === undefined ? 0 : Math.max(0, (now - found.oldestAt) / 1_000))
      }
    }
  }

  return async () => {
    readProcess()
    const connections = sources().connections?.()
    if (connections) {
      const { open, idle, waiting } = connections
      for (const [state, count] of Object.entries({ busy: open - idle, idle, waiting }))
        gauge('tintype_database_connections').set({ state }, count)
    }
    await readQueue()
  }
}

/** Subtracts the period of the measurement. The input is NaN if nothing was measured. */
function delayOf(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - delayResolutionMs / 1_000) : 0
}
