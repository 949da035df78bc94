/**
 * Shares the connections of this process to PostgreSQL between clients. One client has at most half of them, whatever its statements wait for, and
 * clients take turns: a statement of another client waits for the end of one statement or transaction, not for all that came before it.
 */
import { clientOfWork } from '../../domain/client-of-work.ts'
import { createLines } from './lines.ts'

export interface ConnectionTurns {
  /** Resolves with the function that ends the turn. Rejects with `tooLong()` after `waitMsMax`. */
  enter(): Promise<() => void>
}

export function createConnectionTurns(
  connectionsMax: number,
  waitMsMax: number,
  tooLong: () => Error,
): ConnectionTurns {
  const clientMax = Math.ceil(connectionsMax / 2)
  const open = new Map<string | undefined, number>()
  let used = 0
  const lines = createLines()

  const mayStart = (client: string | undefined) =>
    used < connectionsMax && (client === undefined || (open.get(client) ?? 0) < clientMax)

  function begin(client: string | undefined): () => void {
    used += 1
    open.set(client, (open.get(client) ?? 0) + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      used -= 1
      const left = (open.get(client) ?? 1) - 1
      if (left === 0) open.delete(client)
      else open.set(client, left)
      lines.take(mayStart)?.start()
    }
  }

  return {
    async enter() {
      const client = clientOfWork()
      if (mayStart(client)) return begin(client)
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const leave = lines.add(client, () => {
        clearTimeout(timer)
        resolve(begin(client))
      })
      const timer = setTimeout(() => {
        leave()
        reject(tooLong())
      }, waitMsMax)
      return promise
    },
  }
}
