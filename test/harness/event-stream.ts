/** Server-sent events of a connection that a test can cut at any byte. */
import http from 'node:http'
import { until } from './wait.ts'

export interface Frame {
  id: number
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: it is looked at by tests that know what it is
  data: any
}

export interface EventStream {
  status: number
  headers: http.IncomingHttpHeaders
  /** The next complete event, or undefined after the last one: `how` has the reason. */
  next(): Promise<Frame | undefined>
  /** All remaining events. */
  rest(): Promise<Frame[]>
  /** `ended`: the response is complete. `cut`: either side closed the connection early. */
  how(): 'open' | 'ended' | 'cut'
  /** Closes the connection. */
  cut(): void
}

interface Opening {
  last?: number | undefined
  /** Cuts the connection after this number of bytes of the response. Later bytes are never received. */
  bytesMax?: number | undefined
}

interface Place {
  service: { origin: string }
  key: string | undefined
}

/** Opens a stream on a separate connection. */
export function openEvents(place: Place, executionId: string, opening: Opening = {}): Promise<EventStream> {
  return openEventsAt(place, `/workflows/executions/${executionId}/events`, opening)
}

/** `path`: below the base URL. */
export function openEventsAt(
  { service, key }: Place,
  path: string,
  { last, bytesMax = Number.POSITIVE_INFINITY }: Opening = {},
): Promise<EventStream> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
  if (last !== undefined) headers['last-event-id'] = String(last)
  return new Promise((resolve, reject) => {
    const url = `${service.origin}/v1${path}`
    const request = http.get(url, { agent: false, headers }, (response) => {
      let bytes = Buffer.alloc(0)
      let returned = 0
      let state: ReturnType<EventStream['how']> = 'open'
      let wake = Promise.withResolvers<void>()
      const end = (as: typeof state) => {
        if (state === 'open') state = as
        wake.resolve()
      }
      const cut = () => {
        end('cut')
        request.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk]).subarray(0, Math.min(bytes.length + chunk.length, bytesMax))
        wake.resolve()
        if (bytes.length >= bytesMax) cut()
      })
      response.on('end', () => end('ended'))
      for (const name of ['aborted', 'error', 'close']) response.on(name, () => end('cut'))
      const next = async () => {
        for (;;) {
          const frames = framesIn(bytes.toString('utf8'))
          const frame = frames[returned]
          if (frame) {
            returned += 1
            return frame
          }
          if (state !== 'open') return undefined
          await wake.promise
          wake = Promise.withResolvers<void>()
        }
      }
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        next,
        async rest() {
          const all: Frame[] = []
          for (let event = await next(); event; event = await next()) all.push(event)
          return all
        },
        how: () => state,
        cut,
      })
    })
    request.on('error', reject)
  })
}

/**
 * Parses a text that may break off anywhere: an event without an empty line after it was not received (WHATWG HTML,
 * 9.2.6).
 */
export function framesIn(text: string): Frame[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((block) => {
      const lines = block.split('\n').filter((line) => !line.startsWith(':') && !line.startsWith('retry:'))
      if (lines.length === 0) return []
      const fields = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      return [{ id: Number(fields.id), event: fields.event ?? '', data: JSON.parse(fields.data ?? '') }]
    })
}

/**
 * Follows an execution like a client whose connections are cut again and again: reconnects with the last event that it
 * has received, until the service says that there are no more. `opening`: when to cut the nth connection; `eventsMax`:
 * the number of events that it reads.
 */
export async function followThroughCuts(
  place: Place,
  executionId: string,
  opening: (n: number) => Pick<Opening, 'bytesMax'> & { eventsMax?: number },
): Promise<{ frames: Frame[]; connections: number }> {
  const frames: Frame[] = []
  for (let n = 0; ; n++) {
    const { bytesMax, eventsMax = Number.POSITIVE_INFINITY } = opening(n)
    // A service that restarts refuses connections for a while.
    const stream = await until('a connection', () =>
      openEvents(place, executionId, { last: frames.at(-1)?.id ?? 0, bytesMax }).catch(() => undefined),
    )
    if (stream.status === 204) return { frames, connections: n }
    if (stream.status !== 200) throw new Error(`answered ${stream.status}`)
    for (let taken = 0; taken < eventsMax; taken++) {
      const frame = await stream.next()
      if (frame === undefined) break
      frames.push(frame)
    }
    stream.cut()
  }
}
