/** Server-sent events (WHATWG HTML, 9.2): frames of text that end with an empty line. */

export interface SentEvent {
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
export async function* eventStream(parts: AsyncIterable<SentEvent[]>): AsyncGenerator<Buffer, void> {
  yield Buffer.from(`retry: ${retryMs}\n\n`)
  for await (const part of parts) {
    yield Buffer.from(part.length === 0 ? ': keep-alive\n\n' : part.map(frame).join(''))
  }
}

function frame({ id, event, data }: SentEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
