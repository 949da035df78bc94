/** Counts the requests to delivery URLs that wait for their file. Each keeps a connection, and all accounts share the connections of the process. */
import { createAccountCounts } from '../account-counts.ts'

export interface Waits {
  /** Returns undefined without starting the work if `max` requests of the account wait already. */
  run<Value>(accountId: string, work: () => Promise<Value>): Promise<Value | undefined>
}

/** `max`: of each account. */
export function createWaits(max: number): Waits {
  const counts = createAccountCounts(max)
  return {
    async run(accountId, work) {
      const leave = counts.enter(accountId)
      if (leave === undefined) return undefined
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
