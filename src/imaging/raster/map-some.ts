import pMap from 'p-map'
import { abortFault } from './jobs.ts'

/** Each item uses memory while it runs; the gate limits the number of jobs. */
const concurrency = 4

/** Like `Promise.all` over `map`, but with few concurrent items, and without further items after a failure or an abort. */
export function mapSome<From, To>(
  items: readonly From[],
  signal: AbortSignal,
  work: (item: From, index: number) => Promise<To>,
): Promise<To[]> {
  const run = async (item: From, index: number): Promise<To> => {
    if (signal.aborted) throw abortFault(signal)
    return work(item, index)
  }
  return pMap(items, run, { concurrency }) as Promise<To[]>
}
