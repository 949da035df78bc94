import Type from 'typebox'
import { invalidRequest } from '../../../errors.ts'
import { closed, defineRoute, type RouteResponse } from '../../define-route.ts'
import { isStillAuthorized } from '../../request/authenticate.ts'
import { eventStream, eventStreamHeaders, untilRevoked } from '../../response/event-stream.ts'
import { id } from '../schema.ts'
import { serverSentEvents } from './present.ts'
import { ExecutionEventStream } from './schema.ts'

export const streamExecutionEvents = defineRoute({
  id: 'executions.events',
  method: 'GET',
  path: '/workflows/executions/{executionId}/events',
  summary: 'Follow an execution while it goes on, by server-sent events',
  description:
    "The first event is a `snapshot`: the execution and its steps as they stand. After it come `step` and `execution` events as things happen, and after the execution's end the stream ends. The events of an execution are numbered 1, 2, 3, ...; whoever comes with the last number seen gets those past it, each once, from any process of the service; 0 stands for all of them. Now and then a stream ends before the execution does: go on in the same way.",
  tag: 'Executions',
  permission: ['workflows:read', 'workflows:execute'],
  params: Type.Object({ executionId: id('An execution.') }),
  query: Type.Object(
    {
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'As `Last-Event-ID`, for a client that cannot send a header; the header goes before it.',
        }),
      ),
    },
    closed,
  ),
  requestHeaders: {
    'Last-Event-ID': {
      description: 'The `id` of the last event that was seen: no snapshot is sent, but the events after that one.',
      schema: Type.String({ pattern: '^\\d+$' }),
    },
  },
  reply: {
    status: 200,
    description: 'The events.',
    mediaType: 'text/event-stream',
    schema: ExecutionEventStream,
  },
  moreReplies: [
    { status: 204, description: 'The execution has ended, and that was the last event: do not come again.' },
  ],
  errors: ['not_found'],
  async handle({ params, query, headers, method, caller, signal }, services): Promise<RouteResponse> {
    const last = lastEventId(headers['last-event-id'], query.after)
    // A HEAD has no stream that could end.
    const abortOnDisconnect = method === 'HEAD' ? AbortSignal.abort() : signal
    const parts = await services.executionEvents.follow(caller.account.id, params.executionId, last, abortOnDisconnect)
    if (parts === undefined) return { status: 204, body: null }
    if (method === 'HEAD') return { headers: eventStreamHeaders, body: null }
    // A stream is long, and a key is revoked at once.
    const held = untilRevoked(parts, () => isStillAuthorized({ method, headers }, services))
    return { headers: eventStreamHeaders, body: eventStream(serverSentEvents(params.executionId, held, services)) }
  },
})

function lastEventId(header: string | undefined, after: number | undefined): { id: number; path: string } | undefined {
  if (header === undefined) return after === undefined ? undefined : { id: after, path: 'after' }
  const path = 'Last-Event-ID'
  const lastId = Number(header)
  if (!/^\d+$/.test(header) || !Number.isSafeInteger(lastId))
    throw invalidRequest([{ path, message: 'must be the id of an event: a whole number, 0 for the whole log' }])
  return { id: lastId, path }
}
