/** Counts the bytes of results that wait in memory to be stored: one limit for all accounts, and a smaller one for each. */
import { limits } from '../../limits.ts'

export interface UnstoredBytes {
  /** False if it does not fit. */
  add(accountId: string, bytes: number): boolean
  remove(accountId: string, bytes: number): void
}

export function createUnstoredBytes({
  bytesMax = limits.unstoredResultsBytesMax,
  accountBytesMax = limits.unstoredResultsAccountBytesMax,
}: {
  bytesMax?: number
  accountBytesMax?: number
} = {}): UnstoredBytes {
  const bytesOf = new Map<string, number>()
  let all = 0
  return {
    add(accountId, bytes) {
      const accountBytes = (bytesOf.get(accountId) ?? 0) + bytes
      if (accountBytes > accountBytesMax || all + bytes > bytesMax) return false
      bytesOf.set(accountId, accountBytes)
      all += bytes
      return true
    },
    remove(accountId, bytes) {
      const left = (bytesOf.get(accountId) ?? 0) - bytes
      if (left > 0) bytesOf.set(accountId, left)
      else bytesOf.delete(accountId)
      all -= bytes
    },
  }
}
