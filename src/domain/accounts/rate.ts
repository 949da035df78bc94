/** Counts requests of accounts and keys in windows of time: in the memory of a process, or shared by processes. */
export interface RateCounter {
  /**
   * Counts one request in the current window of `id`. Exact up to `limit`, however many processes count at the same time.
   * Past the limit only `used > limit` is certain. `windowSeconds`: default: a minute. An id always has the same.
   */
  count(id: string, limit: number, windowSeconds?: number): Promise<{ used: number; resetsInMs: number }>
}

export const rateWindowSeconds = 60
