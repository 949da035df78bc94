/** Server-sent events (WHATWG HTML, 9.2). */
import Type from 'typebox'
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import { invalidRequest } from '../../errors.ts'

export interface ServerSentEvent {
  id: number
  event: string
  data: object
}

/** Time before a client reconnects. */
const retryMs = 2_000

export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A proxy that caches, compresses or buffers the stream would deliver the events late.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/** Reads the next part when the last one has been sent (backpressure). An empty part becomes a keep-alive comment. */
export async function* eventStream(parts: AsyncIterable<ServerSentEvent[]>): AsyncGenerator<Buffer, void> {
  // Sent immediately, but in the block of the first event: some clients take a separate block for an event without data.
  yield Buffer.from(`retry: ${retryMs}\n`)
  for await (const part of parts) {
    yield Buffer.from(part.length === 0 ? ': keep-alive\n\n' : part.map(frame).join(''))
  }
}

/** Longest time between a revocation and the end of the stream. */
const recheckMs = 1_000

/** Passes parts on until `isValid` returns false. It is called before a part if the last call is older than `everyMs`. */
export async function* untilRevoked<Part>(
  parts: AsyncIterable<Part>,
  isValid: () => Promise<boolean>,
  everyMs = recheckMs,
): AsyncGenerator<Part, void> {
  let checkedMs = monotonicMs()
  for await (const part of parts) {
    if (elapsedSince(checkedMs) >= everyMs) {
      if (!(await isValid())) return
      checkedMs = monotonicMs()
    }
    yield part
  }
}

function frame({ id, event, data }: ServerSentEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

export const eventIdSchema = Type.String({ pattern: '^\\d*$' })

export const eventStreamQuery = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Same as the header `Last-Event-ID`, for clients that cannot send headers. The header takes precedence.',
      }),
    ),
  },
  { additionalProperties: false },
)

/**
 * The id of the last event, from `Last-Event-ID`, or from the query. Undefined for a new stream. `path`: where it comes
 * from.
 */
export function lastEventId(
  header: string | undefined,
  after: number | undefined,
): { id: number; path: string } | undefined {
  // Clients without an event send it empty, or not at all.
  if (header === undefined || header === '') return after === undefined ? undefined : { id: after, path: 'after' }
  const path = 'Last-Event-ID'
  const lastId = Number(header)
  if (!/^\d+$/.test(header) || !Number.isSafeInteger(lastId))
    throw invalidRequest([{ path, message: 'must be the id of an event: a whole number, or 0 for all events' }])
  return { id: lastId, path }
}
