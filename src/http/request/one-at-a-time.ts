import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '../../limits.ts'

/** Does the work of a request when the responses to those before it on the same connection are sent. */
export type Serve = (request: IncomingMessage, response: ServerResponse, work: () => void) => void

/**
 * Requests of one connection wait for one another, and other connections have their turn between two of them. Node emits all requests of a read in
 * one turn: one connection would block the event loop and keep thousands of responses in memory. With more than `pipelinedRequestsMax` waiting requests, the
 * connection is closed: its responses have an order, so none can say why.
 */
export function oneAtATime(): Serve {
  /** The requests that wait, of connections with a request in progress. */
  const waiting = new WeakMap<IncomingMessage['socket'], (() => void)[]>()

  return (request, response, work) => {
    const { socket } = request
    const others = waiting.get(socket)
    if (others === undefined) {
      waiting.set(socket, [])
      start()
    } else if (others.length < limits.pipelinedRequestsMax) others.push(start)
    else socket.destroy()

    function start(): void {
      if (socket.destroyed) return
      response.once('close', next)
      work()
    }

    function next(): void {
      const following = waiting.get(socket)?.shift()
      if (following === undefined) waiting.delete(socket)
      else setImmediate(following)
    }
  }
}
