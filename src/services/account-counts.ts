/** Counts what each account has open at the same time, up to a maximum. */

export interface AccountCounts {
  /** Counts one more, until the returned function is called for the first time. Undefined if the account has the maximum. */
  enter(accountId: string): (() => void) | undefined
}

/** `max`: of each account. */
export function createAccountCounts(max: number): AccountCounts {
  const counts = new Map<string, number>()
  return {
    enter(accountId) {
      const others = counts.get(accountId) ?? 0
      if (others >= max) return undefined
      counts.set(accountId, others + 1)
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        const left = (counts.get(accountId) ?? 1) - 1
        if (left > 0) counts.set(accountId, left)
        else counts.delete(accountId)
      }
    },
  }
}
