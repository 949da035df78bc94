/**
 * The span of each kind of work: its name, parent and attributes. No attribute has a parameter, a prompt, a path of a URL or a message of an error, which
 * can quote them. Names: https://opentelemetry.io/docs/specs/semconv/ for HTTP, and https://github.com/open-telemetry/semantic-conventions-genai for models.
 */
import {
  type Attributes,
  type Context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { systemClock } from '../domain/clock.ts'
import type { ObservedWork } from '../domain/observed.ts'
import { Fault } from '../errors.ts'

interface Kind<Facts> {
  name(facts: Facts): string
  kind: SpanKind
  start(facts: Facts): Attributes
  /** Attributes at the end, and the type of the error if the work failed. */
  end(facts: Facts): Attributes & { 'error.type'?: string }
  /** The `traceparent` of the work that it continues. */
  parent?(facts: Facts): string | undefined
  state?(facts: Facts): string | undefined
}

const kinds: { [Name in keyof ObservedWork]: Kind<ObservedWork[Name]> } = {
  request: {
    name: ({ method, route }) => (route === undefined ? method : `${method} ${route}`),
    kind: SpanKind.SERVER,
    start: ({ method, route, requestId }) => ({
      'http.request.method': method,
      ...(route !== undefined && { 'http.route': route }),
      'tintype.request.id': requestId,
    }),
    end: ({ status = 0 }) => ({
      'http.response.status_code': status,
      // A 4xx is the error of the caller.
      ...(status >= 500 && { 'error.type': String(status) }),
    }),
    parent: ({ traceparent }) => traceparent,
    state: ({ tracestate }) => tracestate,
  },
  execution: {
    name: () => 'execution',
    kind: SpanKind.CONSUMER,
    start: ({ execution: { id, workflowId, workflowVersion, attempt, batchId } }) => ({
      'tintype.execution.id': id,
      'tintype.execution.attempt': attempt,
      'tintype.workflow.id': workflowId,
      'tintype.workflow.version': workflowVersion,
      ...(batchId !== undefined && { 'tintype.batch.id': batchId }),
    }),
    end: ({ outcome = 'interrupted', reason }) => ({
      'tintype.execution.outcome': outcome,
      ...(outcome === 'failed' && { 'error.type': reason ?? 'internal' }),
    }),
    parent: ({ execution }) => execution.traceparent,
  },
  step: {
    name: ({ operation }) => `step ${operation}`,
    kind: SpanKind.INTERNAL,
    start: ({ node, operation, from }) => ({
      'tintype.step.node': node,
      'tintype.step.operation': operation,
      'tintype.step.source': from ?? 'operation',
    }),
    end: () => ({}),
  },
  modelCall: {
    name: ({ capability, model }) => `${operationOf(capability)} ${model}`,
    kind: SpanKind.CLIENT,
    start: ({ provider, model, capability, isResumed }) => ({
      'gen_ai.operation.name': operationOf(capability),
      'gen_ai.provider.name': providerNames[provider] ?? provider,
      'gen_ai.request.model': model,
      'gen_ai.output.type': texts.includes(capability) ? 'text' : 'image',
      'tintype.capability': capability,
      ...(isResumed && { 'tintype.call.resumed': true }),
    }),
    end: ({ outcome = 'open', row }) => ({
      'tintype.call.outcome': outcome,
      ...(row && { 'tintype.call.id': row.id }),
      ...(row?.requestId && { 'gen_ai.response.id': row.requestId }),
      ...(row?.costMicros != null && { 'tintype.call.cost_usd': row.costMicros / 1e6 }),
      ...(!['done', 'open'].includes(outcome) && { 'error.type': outcome }),
    }),
  },
  webhook: {
    name: () => 'webhook POST',
    kind: SpanKind.CLIENT,
    start: ({ delivery: { id, eventId, attempt, url } }) => ({
      'http.request.method': 'POST',
      'server.address': URL.parse(url)?.hostname ?? '',
      'tintype.webhook.delivery.id': id,
      'tintype.webhook.event.id': eventId,
      'tintype.webhook.attempt': attempt,
    }),
    end: ({ outcome = 'interrupted', status }) => ({
      ...(status != null && { 'http.response.status_code': status }),
      'tintype.webhook.outcome': outcome,
      ...(outcome !== 'delivered' && { 'error.type': String(status ?? outcome) }),
    }),
    parent: ({ delivery }) => delivery.traceparent,
  },
  batch: {
    name: () => 'batch rows',
    kind: SpanKind.PRODUCER,
    start: ({ batch: { id, workflowId, workflowVersion }, rows }) => ({
      'tintype.batch.id': id,
      'tintype.batch.rows': rows,
      'tintype.workflow.id': workflowId,
      'tintype.workflow.version': workflowVersion,
    }),
    end: () => ({}),
    parent: ({ batch }) => batch.traceparent,
  },
}

/** Capabilities whose result is text. */
const texts = ['describe', 'write', 'judge']

function operationOf(capability: string): string {
  return texts.includes(capability) ? 'chat' : 'generate_content'
}

/** Names of the conventions for providers that have one. */
const providerNames: Record<string, string> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  xai: 'x_ai',
}

/** Undefined if it continues no other work. */
export function parentOf<Name extends keyof ObservedWork>(name: Name, facts: ObservedWork[Name]): Context | undefined {
  const kind: Kind<ObservedWork[Name]> = kinds[name]
  const traceparent = kind.parent?.(facts)
  return traceparent === undefined ? undefined : contextOf(traceparent, kind.state?.(facts))
}

export function startOf<Name extends keyof ObservedWork>(name: Name, facts: ObservedWork[Name]): [string, SpanOptions] {
  const kind: Kind<ObservedWork[Name]> = kinds[name]
  // The request arrived before its handler was called.
  const startTime = 'elapsedMs' in facts ? { startTime: systemClock.now() - facts.elapsedMs } : {}
  return [kind.name(facts), { kind: kind.kind, attributes: kind.start(facts), ...startTime }]
}

export function endOf<Name extends keyof ObservedWork>(
  name: Name,
  facts: ObservedWork[Name],
  span: Span,
  error: unknown,
): void {
  const kind: Kind<ObservedWork[Name]> = kinds[name]
  const attributes = kind.end(facts)
  const type = attributes['error.type'] ?? (error === undefined ? undefined : errorType(error))
  span.setAttributes({ ...attributes, ...(type !== undefined && { 'error.type': type }) })
  if (type !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

function errorType(error: unknown): string {
  if (error instanceof Fault) return error.details.reason ?? error.code
  return error instanceof Error ? error.name : 'unknown'
}

const traceparents = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Undefined if the header is invalid: the work then starts a trace. */
function contextOf(traceparent: string, tracestate: string | undefined): Context | undefined {
  const [, traceId = '', spanId = '', flags = ''] = traceparents.exec(traceparent) ?? []
  const spanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  }
  if (traceparent.startsWith('ff') || !isSpanContextValid(spanContext)) return undefined
  return trace.setSpanContext(ROOT_CONTEXT, spanContext)
}
