/** Server-sent events (WHATWG HTML, 9.2): frames of text that end with an empty line. */
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'

export interface ServerSentEvent {
  id: number
  event: string
  data: object
}

/** After how long a client that lost its connection comes again. */
const retryMs = 2_000

export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A proxy that keeps, compresses or collects it would tell of everything at the end.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/** Pulled when what was given has been sent, so that a slow client holds up nobody. An empty part keeps the connection alive. */
export async function* eventStream(parts: AsyncIterable<ServerSentEvent[]>): AsyncGenerator<Buffer, void> {
  yield Buffer.from(`retry: ${retryMs}\n\n`)
  for await (const part of parts) {
    yield Buffer.from(part.length === 0 ? ': keep-alive\n\n' : part.map(frame).join(''))
  }
}

/** How long it may take until a part that comes is not told any more. */
const recheckMs = 1_000

/** The parts for as long as `holds` says so, which is asked when one has come. An empty part comes every so often. */
export async function* untilRevoked<Part>(
  parts: AsyncIterable<Part>,
  holds: () => Promise<boolean>,
  everyMs = recheckMs,
): AsyncGenerator<Part, void> {
  let askedMs = monotonicMs()
  for await (const part of parts) {
    if (elapsedSince(askedMs) >= everyMs) {
      if (!(await holds())) return
      askedMs = monotonicMs()
    }
    yield part
  }
}

function frame({ id, event, data }: ServerSentEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
