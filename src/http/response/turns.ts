/**
 * Turns of reads. Reading and serializing a response, or one piece of a long response, can take some milliseconds, and one account can request many at
 * the same time. So only one of all of them begins in each turn of the event loop, and accounts alternate.
 */

export interface Turns {
  wait(accountId: string): Promise<void>
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
    const [accountId, ofAccount] = first
    const start = ofAccount.shift()
    waiting.delete(accountId)
    if (ofAccount.length > 0) waiting.set(accountId, ofAccount)
    start?.()
    setImmediate(next)
  }

  function wait(accountId: string): Promise<void> {
    return new Promise((resolve) => {
      const ofAccount = waiting.get(accountId)
      if (ofAccount === undefined) waiting.set(accountId, [resolve])
      else ofAccount.push(resolve)
      if (!isRunning) setImmediate(next)
      isRunning = true
    })
  }

  return {
    wait,
    async *of(accountId, pieces) {
      const iterator = pieces[Symbol.asyncIterator]()
      try {
        for (;;) {
          await wait(accountId)
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
