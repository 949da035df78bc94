/** Traces of a process, as an observer that exports spans by OTLP. The only file that imports OpenTelemetry: only a process with an endpoint loads it. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { exit } from 'node:process'
import { type Context, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { withGrace } from '../domain/abortable.ts'
import type { Observation, ObservedWork, Observer } from '../domain/observed.ts'
import { endOf, parentOf, startOf } from './spans.ts'

export interface Traces {
  observer: Observer
  /** Sends the last spans, for some seconds at most. */
  close(): Promise<void>
}

interface Options {
  process: 'service' | 'executor' | 'worker'
  version: string
  /** A value of OTEL_TRACES_SAMPLER. */
  sampler: string
  /** Share of the traces, for a sampler with `traceidratio`. */
  ratio: number
  onError(error: unknown): void
  onRecovered(): void
}

/** Ended spans that wait. More are dropped: about 4 MB. */
const waitingSpansMax = 2_048
const exportSpansMax = 512
/** Exports at the same time: at the end, all spans that wait are exported together. */
const exportsMax = 1 + waitingSpansMax / exportSpansMax
const exportMsMax = 10_000
const closeSecondsMax = 2

/** The library reads the other settings of the exporter and the resource itself: OTEL_EXPORTER_OTLP_..., OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES. */
export function createTraces({ process, version, sampler, ratio, ...reports }: Options): Traces {
  const agents: (HttpAgent | HttpsAgent)[] = []
  const exporter = new OTLPTraceExporter({
    concurrencyLimit: exportsMax,
    httpAgentOptions(protocol) {
      const agent = protocol === 'http:' ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true })
      agents.push(agent)
      return agent
    },
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'tintype',
      'service.version': version,
      'tintype.process': process,
    }).merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(sampler, ratio),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(exporter, reports),
        maxQueueSize: waitingSpansMax,
        maxExportBatchSize: exportSpansMax,
        exportTimeoutMillis: exportMsMax,
      }),
    ],
  })
  const tracer = provider.getTracer('tintype', version)
  /** The span of the current work. */
  const current = new AsyncLocalStorage<Context>()

  return {
    observer: {
      begin(name, facts): Observation {
        const parent = parentOf(name, facts) ?? (isInner(name) ? current.getStore() : ROOT_CONTEXT)
        // A comparison of images has steps, but no execution.
        if (parent === undefined) return unobserved
        const span = tracer.startSpan(...startOf(name, facts), parent)
        const context = trace.setSpan(parent, span)
        return {
          run: (part) => current.run(context, part),
          // Timers of the exporter belong to no work.
          end: (error) => current.exit(() => endOf(name, facts, span, error)),
        }
      },
      note() {},
      trace() {
        const context = current.getStore()
        const span = context && trace.getSpan(context)
        return span && traceparentOf(span)
      },
    },
    async close() {
      let isClosed = false
      const closing = provider.shutdown().then(() => {
        isClosed = true
      })
      await withGrace(closing, closeSecondsMax)
      for (const agent of agents) agent.destroy()
      // The next attempts of the library would keep the process alive. It is closed last, so nothing else is left to do.
      if (!isClosed) setTimeout(() => exit(), 0).unref()
    },
  }
}

/** Work that is a part of other work of the process. */
function isInner(name: keyof ObservedWork): boolean {
  return name === 'step' || name === 'modelCall'
}

const unobserved: Observation = { run: (part) => part(), end() {} }

/** https://www.w3.org/TR/trace-context/#traceparent-header */
function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** Reports the first error, and the end of the errors, instead of each export. */
function reporting(
  exporter: SpanExporter,
  { onError, onRecovered }: Pick<Options, 'onError' | 'onRecovered'>,
): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined
        if (hasFailed && !isFailing) onError(result.error)
        if (!hasFailed && isFailing) onRecovered()
        isFailing = hasFailed
        // The processor drops the spans in both cases. It would report each error.
        done({ code: 0 })
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

function samplerOf(name: string, ratio: number): Sampler {
  const root = name.endsWith('always_on')
    ? new AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio)
  return name.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root
}
