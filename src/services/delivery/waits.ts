/** Counts the requests to delivery URLs that wait for their file. Each keeps a connection, and all accounts share the connections of the process. */

export interface Waits {
  /** Returns undefined without starting the work if `max` requests of the account wait already. */
  run<Value>(accountId: string, work: () => Promise<Value>): Promise<Value | undefined>
}

/** `max`: of each account. */
export function createWaits(max: number): Waits {
  const waiting = new Map<string, number>()
  return {
    async run(accountId, work) {
      const others = waiting.get(accountId) ?? 0
      if (others >= max) return undefined
      waiting.set(accountId, others + 1)
      try {
        return await work()
      } finally {
        const left = (waiting.get(accountId) ?? 1) - 1
        if (left > 0) waiting.set(accountId, left)
        else waiting.delete(accountId)
      }
    },
  }
}
