/** Where the requests of an account are counted, in windows of a minute: a process's memory, or what processes share. */
export interface RateCounter {
  /**
   * One more in the account's current window. Exact up to `limit`, however many count at once; of requests past it, it is
   * sure only that `used` is past it too.
   */
  count(accountId: string, limit: number): Promise<{ used: number; resetsInMs: number }>
}

export const rateWindowSeconds = 60
