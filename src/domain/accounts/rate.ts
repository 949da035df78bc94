/** Counts the requests of accounts in windows of a minute: in the memory of a process, or shared by processes. */
export interface RateCounter {
  /**
   * Counts one request in the current window of the account. Exact up to `limit`, however many processes count at the same time.
   * Past the limit only `used > limit` is certain.
   */
  count(accountId: string, limit: number): Promise<{ used: number; resetsInMs: number }>
}

export const rateWindowSeconds = 60
