/**
 * Turns of long responses. Reading and serializing one piece can take some milliseconds, and one account can have many responses at the same time. So
 * only one piece of all of them is made in each turn of the event loop, and accounts alternate.
 */

export interface Turns {
  /** Returns the same pieces, and waits for a turn before it reads each of them. */
  of(accountId: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void>
}

export function createTurns(): Turns {
  /** By account. The account whose turn is next is first. */
  const waiting = new Map<string, (() => void)[]>()
  let isRunning = false

  function next(): void {
    const [first] = waiting
    isRunning = first !== undefined
    if (first === undefined) return
    const [accountId, [start, ...others]] = first
    waiting.delete(accountId)
    if (others.length > 0) waiting.set(accountId, others)
    start?.()
    setImmediate(next)
  }

  function turn(accountId: string): Promise<void> {
    return new Promise((resolve) => {
      waiting.set(accountId, [...(waiting.get(accountId) ?? []), resolve])
      if (!isRunning) setImmediate(next)
      isRunning = true
    })
  }

  return {
    async *of(accountId, pieces) {
      const iterator = pieces[Symbol.asyncIterator]()
      try {
        for (;;) {
          await turn(accountId)
          const { done, value } = await iterator.next()
          if (done) return
          yield value
        }
      } finally {
        await iterator.return?.()
      }
    },
  }
}
