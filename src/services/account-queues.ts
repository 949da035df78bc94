/** Queues of work per account: each account runs a limited number at the same time, and the rest of its work waits. */
import PQueue from 'p-queue'

export interface AccountQueues {
  /** Rejects with the reason of the signal, also while the work waits. The work must end on the signal. */
  run<Value>(accountId: string, signal: AbortSignal, work: () => Promise<Value>): Promise<Value>
}

export function createAccountQueues(concurrency: number): AccountQueues {
  const queues = new Map<string, PQueue>()
  return {
    async run(accountId, signal, work) {
      signal.throwIfAborted()
      const queue = queues.get(accountId) ?? new PQueue({ concurrency })
      queues.set(accountId, queue)
      try {
        return await queue.add(work, { signal })
      } finally {
        if (queue.size + queue.pending === 0 && queues.get(accountId) === queue) queues.delete(accountId)
      }
    },
  }
}
