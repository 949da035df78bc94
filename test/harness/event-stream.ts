/** Server-sent events as they come over a connection, which can be cut wherever a test wants it to be. */
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
  /** The next whole event; undefined when there is none any more: `how` tells why. */
  next(): Promise<Frame | undefined>
  /** All that still come. */
  rest(): Promise<Frame[]>
  /** `ended`: as an answer ends. `cut`: the connection broke off, here or there. */
  how(): 'open' | 'ended' | 'cut'
  /** Takes in nothing more. */
  cut(): void
}

interface Opening {
  last?: number | undefined
  /** The connection is cut when so many bytes of the answer have come: what comes after them was never received. */
  bytesMax?: number | undefined
}

interface Place {
  service: { origin: string }
  key: string | undefined
}

/** Each over a connection of its own. */
export function openEvents(
  { service, key }: Place,
  executionId: string,
  { last, bytesMax = Number.POSITIVE_INFINITY }: Opening = {},
): Promise<EventStream> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
  if (last !== undefined) headers['last-event-id'] = String(last)
  return new Promise((resolve, reject) => {
    const url = `${service.origin}/v1/workflows/executions/${executionId}/events`
    const request = http.get(url, { agent: false, headers }, (response) => {
      let bytes = Buffer.alloc(0)
      let told = 0
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
          const frame = frames[told]
          if (frame) {
            told += 1
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
          for (let each = await next(); each; each = await next()) all.push(each)
          return all
        },
        how: () => state,
        cut,
      })
    })
    request.on('error', reject)
  })
}

/** Of a text that may break off anywhere: what has no empty line after it was not received (WHATWG HTML, 9.2.6). */
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
 * As a client goes on whose connections are cut again and again: from the last event that it has seen, until it hears that
 * there is nothing more. `opening`: what becomes of the nth connection; `eventsMax`: how many events it takes.
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
