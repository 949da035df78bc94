/**
 * Work of requests on the main thread: reads a response or one piece of a long response, parses a large body. An account has few of them at the same time, so
 * it leaves connections of the database and most of each turn of the event loop to others.
 */
import { createFairQueue } from '../domain/fair-queue.ts'

export interface Reads {
  /** Rejects with the reason of the signal while it waits. */
  run<Value>(account: string, signal: AbortSignal | undefined, work: () => Promise<Value>): Promise<Value>
  /** Returns the same pieces, and waits before it reads each of them. Throws the reason of the signal while it waits. */
  pieces(
    account: string,
    signal: AbortSignal | undefined,
    pieces: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void>
}

const perAccount = 4
/** A read that takes longer waits for something else, such as a search that other accounts do as well. Then the next one starts. */
const slotMs = 100
/** Clients of an account whose line is longer than this have often gone, and send the request again. */
const newestFirstAfterMs = 1_000

export function createReads(): Reads {
  const queue = createFairQueue({ perAccount, newestFirstAfterMs })

  async function run<Value>(account: string, signal: AbortSignal | undefined, work: () => Promise<Value>) {
    const free = await queue.enter({ account, signal })
    const timer = setTimeout(free, slotMs)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      // Not immediately: the event loop handles requests of other accounts first.
      setImmediate(free)
    }
  }

  return {
    run,
    async *pieces(account, signal, pieces) {
      const iterator = pieces[Symbol.asyncIterator]()
      try {
        for (;;) {
          const piece = await run(account, signal, () => iterator.next())
          if (piece.done) return
          yield piece.value
        }
      } finally {
        await iterator.return?.()
      }
    },
  }
}
