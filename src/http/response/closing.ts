/** Graceful close of the server: responses close their connection, event streams end, the rest is cut after a time limit. */
import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'

export interface Closing {
  begin(withinMs: number): void
  hasStarted(): boolean
  /** Registers an event stream, so that `finish` can end it. */
  trackStream(response: ServerResponse): void
  /** Closes the server. Cuts connections that are still open after the time passed to `begin`, at least one second. */
  finish(server: Server, close: () => PromiseLike<unknown>): Promise<void>
}

/** Maximum time for sending the end of streams and of the last responses. */
const graceMs = 1_000

export function createClosing(): Closing {
  const streams = new Set<ServerResponse>()
  let started: { sinceMs: number; withinMs: number } | undefined

  /** Destroys streams whose clients don't read their end: they would keep the server open. */
  async function endStreams(): Promise<void> {
    const open = [...streams]
    const grace = new AbortController()
    const ended = Promise.all(open.map((socket) => once(socket, 'close')))
    await Promise.race([ended, pause(graceMs, undefined, { signal: grace.signal, ref: false })])
    grace.abort()
    for (const socket of open) socket.destroy()
  }

  return {
    begin(withinMs) {
      started = { sinceMs: monotonicMs(), withinMs }
    },
    hasStarted: () => started !== undefined,
    trackStream(response) {
      streams.add(response)
      response.once('close', () => streams.delete(response))
    },
    async finish(server, close) {
      started ??= { sinceMs: monotonicMs(), withinMs: 0 }
      const leftMs = started.withinMs - elapsedSince(started.sinceMs)
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
