/**
 * Turns of work that can take some milliseconds of the main thread: to read and serialize a response or one piece of a long response, to parse a large
 * body. One account can request many at the same time. So only a few milliseconds of it are done in each turn of the event loop, accounts alternate, and
 * after a long piece others have as much time.
 */

import { processorMs } from '../domain/clock.ts'

export interface Turns {
  wait(accountId: string): Promise<void>
  /** Returns the same pieces, and waits for a turn before it reads each of them. */
  of(accountId: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void>
}

/** CPU time, after which no more begins in a turn of the event loop. */
const turnMs = 5
const pauseMsMax = 100

export function createTurns(): Turns {
  /** By account. The account whose turn is next is first. */
  const waiting = new Map<string, (() => void)[]>()
  let isRunning = false

  function next(): void {
    const startMs = processorMs()
    startOne()

    function startOne(): void {
      const start = take()
      isRunning = start !== undefined
      if (start === undefined) return
      start()
      // Node runs callbacks of promises before those of `nextTick`. So the work is done by then, until it waits for input or output.
      queueMicrotask(() => process.nextTick(goOn))
    }

    function goOn(): void {
      const spentMs = processorMs() - startMs
      if (spentMs < turnMs) startOne()
      else if (spentMs < 2 * turnMs) setImmediate(next)
      else setTimeout(next, Math.min(spentMs, pauseMsMax))
    }
  }

  function take(): (() => void) | undefined {
    const [first] = waiting
    if (first === undefined) return undefined
    const [accountId, ofAccount] = first
    const start = ofAccount.shift()
    waiting.delete(accountId)
    if (ofAccount.length > 0) waiting.set(accountId, ofAccount)
    return start
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
