/** Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
import { ApiError, ConnectionError } from './errors.ts'
import { delayOf, sleep } from './retries.ts'
import type { OutgoingRequest, Transport } from './transport.ts'
import type { RequestOptions, ServerSentEvent } from './types.ts'

type Event = ServerSentEvent<string, unknown>

/** The service sends a comment every 15 seconds: without one for this time, the connection is lost. */
const silenceMs = 60_000

/**
 * The events of a stream. A stream that ends early continues after the last event that arrived. `endOf`: whether the stream is over after an
 * event, or when it ends next.
 */
export async function* followEvents(
  transport: Transport,
  request: OutgoingRequest,
  options: RequestOptions,
  endOf: (event: Event) => 'now' | 'soon' | undefined,
): AsyncGenerator<Event> {
  const { signal } = options
  const retries = options.maxRetries ?? transport.maxRetries
  let lastId: string | undefined
  let retryMs: number | undefined
  // Connections in a row without an event.
  for (let failures = 0; ; failures++) {
    const headers = { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) }
    const connection = new AbortController()
    const response = await transport.response(
      { ...request, headers },
      { ...options, signal: signal ? AbortSignal.any([signal, connection.signal]) : connection.signal },
    )
    // The last event had arrived.
    if (response.status === 204 || !response.body) return
    let problem: unknown
    let end: ReturnType<typeof endOf>
    try {
      for await (const { id, type, data, retry } of readEvents(response.body, connection)) {
        retryMs = retry ?? retryMs
        if (id !== undefined) lastId = id
        if (data === undefined) continue
        failures = -1
        const event = { id, type, data: JSON.parse(data) }
        yield event
        end = endOf(event) ?? end
        if (end === 'now') return
      }
      if (end === 'soon') return
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof ApiError) throw error
      problem = error
    } finally {
      connection.abort()
    }
    if (failures >= retries) throw new ConnectionError(`The events of ${request.path} ended early.`, { cause: problem })
    await sleep(retryMs ?? delayOf(Math.max(0, failures), undefined) ?? 0, signal)
  }
}

interface Block {
  id?: string
  type: string
  data?: string
  retry?: number
}

/** The events of a body. `connection` is aborted if nothing arrives for a minute. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  connection?: AbortController,
): AsyncGenerator<Block> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  /** The text before ended with a CR: an LF belongs to it. */
  let isAfterCr = false
  let lines: string[] = []
  let silence: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      if (connection) silence = setTimeout(() => connection.abort(), silenceMs)
      const { done, value } = await reader.read()
      clearTimeout(silence)
      // An event without its empty line is incomplete.
      if (done) return
      const chunk = decoder.decode(value, { stream: true })
      text += isAfterCr && chunk.startsWith('\n') ? chunk.slice(1) : chunk
      if (chunk !== '') isAfterCr = chunk.endsWith('\r')
      for (let end = endOfLine(text); end; end = endOfLine(text)) {
        const line = text.slice(0, end.index)
        text = text.slice(end.index + end[0].length)
        if (line !== '') lines.push(line)
        else if (lines.length > 0) {
          yield blockOf(lines)
          lines = []
        }
      }
    }
  } finally {
    clearTimeout(silence)
    // Ends the connection if the caller stops early.
    await reader.cancel().catch(() => undefined)
  }
}

function endOfLine(text: string): RegExpExecArray | null {
  return /\r\n|\n|\r/.exec(text)
}

function blockOf(lines: string[]): Block {
  const block: Block = { type: 'message' }
  const data: string[] = []
  for (const line of lines) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') data.push(value)
    else if (name === 'event') block.type = value
    else if (name === 'id' && !value.includes('\0')) block.id = value
    else if (name === 'retry' && /^\d+$/.test(value)) block.retry = Number(value)
  }
  if (data.length > 0) block.data = data.join('\n')
  return block
}
