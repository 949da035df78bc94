import { setImmediate } from 'node:timers/promises'
import { abortFault } from './jobs.ts'

/**
 * Maximum number of concurrent work items, because each uses memory while it runs; the gate limits the number of
 * jobs.
 */
const atOnce = 4

/**
 * Like `Promise.all` over `map`, but with few concurrent items, and without further items after a failure or an
 * abort.
 */
export async function mapSome<From, To>(
  items: readonly From[],
  signal: AbortSignal,
  work: (item: From, index: number) => Promise<To>,
): Promise<To[]> {
  const results = new Array<To>(items.length)
  const left = items.entries()
  let hasFailed = false
  const worker = async () => {
    for (const [index, item] of left) {
      // Yields to other work, even if nothing else in the item waits.
      await setImmediate()
      if (hasFailed) return
      if (signal.aborted) throw abortFault(signal)
      results[index] = await work(item, index)
    }
  }
  const stop = (error: unknown) => {
    hasFailed = true
    throw error
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, () => worker().catch(stop)))
  return results
}
