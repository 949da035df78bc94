/** The load of account A: requests without pause, until it is stopped. */
import type { HttpResponse } from '../harness/http.ts'
import type { Setup, SetupOptions } from './setup.ts'

export interface Attack {
  /** One row of the tests and of the benchmark. */
  name: string
  /** An attack below HTTP: all clients connect to the proxy of deploy/. */
  behindProxy?: true
  /** Settings of the service that it attacks. */
  settings?: Record<string, string>
  /** A's plan: enterprise by default. */
  plan?: NonNullable<SetupOptions['plan']>
  /** All of its requests are refused. */
  isRefused?: true
  /** B's executions load an image of the outside host, because this attack is on fetches. */
  fetches?: true
  /** Milliseconds of CPU that a health check may wait for, if this attack needs more than others. */
  mainThreadMsMax?: number
  /** Returns when A's load has reached its full height. */
  start(setup: Setup): Promise<Load>
}

export interface Load {
  /** The number of responses by status. `error` is a connection that broke. */
  responses: Map<number | 'error', number>
  /** Requests of A that have no response yet. */
  open(): number
  /** A's clients leave, with or without a response. */
  stop(): Promise<void>
}

interface Repeated extends Load {
  /** When every client has left. */
  done: Promise<unknown>
}

type Send = (n: number, signal: AbortSignal) => Promise<HttpResponse>

/**
 * Clients of A, each of which sends its next request when it has the response to the last one, until A is stopped or has sent `times`
 * requests. The requests are numbered from 0.
 */
export function repeat(clients: number, send: Send, times = Number.POSITIVE_INFINITY): Repeated {
  const leaving = new AbortController()
  const responses: Load['responses'] = new Map()
  let open = 0
  let next = 0
  const client = async (): Promise<void> => {
    while (!leaving.signal.aborted && next < times) {
      open += 1
      const status = await send(next++, leaving.signal).then(
        (response) => response.status,
        () => 'error' as const,
      )
      open -= 1
      if (!leaving.signal.aborted) responses.set(status, (responses.get(status) ?? 0) + 1)
      // A service that no longer listens must not be called in a tight loop.
      if (status === 'error') return
    }
  }
  const done = Promise.all(Array.from({ length: clients }, client))
  return {
    responses,
    open: () => open,
    done,
    async stop() {
      leaving.abort()
      await done
    },
  }
}

/** Sends this many requests of A, and returns the number of responses by status. */
export async function sendAll(clients: number, send: Send, times: number): Promise<Load['responses']> {
  const { responses, done } = repeat(clients, send, times)
  await done
  return responses
}

/** `200 x 12, 429 x 3`. */
export function listStatuses({ responses }: Pick<Load, 'responses'>): string {
  return [...responses].map(([status, times]) => `${status} x ${times}`).join(', ')
}
