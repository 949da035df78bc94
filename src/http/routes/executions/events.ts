import Type from 'typebox'
import { defineRoute, type RouteResponse } from '../../define-route.ts'
import { isStillAuthorized } from '../../request/authenticate.ts'
import {
  eventIdSchema,
  eventStream,
  eventStreamHeaders,
  eventStreamQuery,
  lastEventId,
  untilRevoked,
} from '../../response/event-stream.ts'
import { id } from '../schema.ts'
import { serverSentEvents } from './present.ts'
import { ExecutionEvent } from './schema.ts'

export const streamExecutionEvents = defineRoute({
  id: 'executions.events',
  method: 'GET',
  path: '/workflows/executions/{executionId}/events',
  summary: 'Stream the events of an execution (server-sent events)',
  description:
    'The first event is a `snapshot` with the current state of the execution and its steps. `step` and `execution` events follow with each change. The stream ends after the execution. Events are numbered from 1. To resume a stream, send the number of the last event that you received: you get each later event once. 0 returns all events. Events are removed some days after the end of the execution: a `snapshot` takes their place. A stream may end before the execution, so reconnect in the same way.',
  tag: 'Executions',
  permission: ['workflows:read', 'workflows:execute'],
  params: Type.Object({ executionId: id('The id of the execution.') }),
  query: eventStreamQuery,
  requestHeaders: {
    'Last-Event-ID': {
      description:
        'The `id` of the last event that you received. The stream starts with the next event instead of a snapshot.',
      schema: eventIdSchema,
    },
  },
  reply: {
    status: 200,
    description: 'The event stream.',
    mediaType: 'text/event-stream',
    schema: ExecutionEvent,
  },
  moreReplies: [
    { status: 204, description: 'The execution has ended, and you received its last event. Do not reconnect.' },
  ],
  errors: ['not_found'],
  async handle({ params, query, headers, method, caller, requestId, signal }, services): Promise<RouteResponse> {
    const last = lastEventId(headers['last-event-id'], query.after)
    // A HEAD must not subscribe to the events.
    const abortOnDisconnect = method === 'HEAD' ? AbortSignal.abort() : signal
    const parts = await services.executionEvents.follow(caller.account.id, params.executionId, {
      last,
      signal: abortOnDisconnect,
      requestId,
    })
    if (parts === undefined) return { status: 204, body: null }
    if (method === 'HEAD') return { headers: eventStreamHeaders, body: null }
    const urls = services.images.urlsOf(caller.account)
    // Streams are long. A revoked key must end its streams.
    const authorized = untilRevoked(parts, () => isStillAuthorized({ method, headers }, services))
    return {
      headers: eventStreamHeaders,
      body: eventStream(serverSentEvents(params.executionId, authorized, { baseUrl: services.baseUrl, urls })),
    }
  },
})
