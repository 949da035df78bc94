import { setImmediate } from 'node:timers/promises'
import { abortFault } from './jobs.ts'

/** What each piece of work holds while it runs is held this often at most; how many jobs run is for the gate to say. */
const atOnce = 4

/** As `Promise.all` of `map`, but only a few at a time, and none any more once one has failed or the signal aborts. */
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
      // Others have a turn, also where nothing else of the work waits.
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
