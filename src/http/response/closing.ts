/** The end of the server: responses that close their connection, streams that are cut, and a bound for what is left. */
import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'

export interface Closing {
  begin(withinMs: number): void
  hasBegun(): boolean
  /** A stream of events: unlike other responses it doesn't end without a request to end. */
  trackStream(response: ServerResponse): void
  /** Closes the server. Connections that are still open after the time given to `begin`, and after a second at least, is cut. */
  finish(server: Server, close: () => PromiseLike<unknown>): Promise<void>
}

/** How long the end of streams, and of the last responses, may take to be sent. */
const graceMs = 1_000

export function createClosing(): Closing {
  const streams = new Set<ServerResponse>()
  let begun: { sinceMs: number; withinMs: number } | undefined

  /** Streams have ended by now: a client that reads nothing would keep the server alive. */
  async function endStreams(): Promise<void> {
    const open = [...streams]
    const grace = new AbortController()
    const ended = Promise.all(open.map((each) => once(each, 'close')))
    await Promise.race([ended, pause(graceMs, undefined, { signal: grace.signal, ref: false })])
    grace.abort()
    for (const each of open) each.destroy()
  }

  return {
    begin(withinMs) {
      begun = { sinceMs: monotonicMs(), withinMs }
    },
    hasBegun: () => begun !== undefined,
    trackStream(response) {
      streams.add(response)
      response.once('close', () => streams.delete(response))
    },
    async finish(server, close) {
      begun ??= { sinceMs: monotonicMs(), withinMs: 0 }
      const leftMs = begun.withinMs - elapsedSince(begun.sinceMs)
      const timer = setTimeout(() => server.closeAllConnections(), Math.max(leftMs, graceMs))
      try {
        await endStreams()
        await close()
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
