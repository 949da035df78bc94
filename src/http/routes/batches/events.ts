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
import { batchServerSentEvents } from './present.ts'
import { BatchEvent, batchParams } from './schema.ts'

export const streamBatchEvents = defineRoute({
  id: 'batches.events',
  method: 'GET',
  path: '/batches/{batchId}/events',
  summary: 'Stream the progress of a batch (server-sent events)',
  description:
    'The first event is a `batch` event with the current state. Another one follows with each change, at most once per second, and an `item` event with each row that ends. The stream ends after the batch has ended. To resume a stream, send the number of the last event that you received: rows that ended since then come first. Rows can come twice.',
  tag: 'Batches',
  permission: ['workflows:read', 'workflows:execute'],
  params: batchParams,
  query: eventStreamQuery,
  requestHeaders: {
    'Last-Event-ID': { description: 'The `id` of the last event that you received.', schema: eventIdSchema },
  },
  reply: { status: 200, description: 'The event stream.', mediaType: 'text/event-stream', schema: BatchEvent },
  errors: ['not_found'],
  async handle({ params, query, headers, method, caller, requestId, signal }, services): Promise<RouteResponse> {
    const last = lastEventId(headers['last-event-id'], query.after)?.id
    // A HEAD must not subscribe to the events.
    const abortOnDisconnect = method === 'HEAD' ? AbortSignal.abort() : signal
    const parts = await services.batchEvents.follow(caller.account.id, params.batchId, {
      last,
      signal: abortOnDisconnect,
      requestId,
    })
    if (method === 'HEAD') return { headers: eventStreamHeaders, body: null }
    // Streams are long. A revoked key must end its streams.
    const authorized = untilRevoked(parts, () => isStillAuthorized({ method, headers }, services))
    const urls = services.images.urlsOf(caller.account)
    return { headers: eventStreamHeaders, body: eventStream(batchServerSentEvents(authorized, urls, services.clock)) }
  },
})
