/** Work of accounts side by side: each account has so much of it in progress, the rest of its own waits. */
import PQueue from 'p-queue'

export interface AccountQueues {
  /** Rejects with the signal's reason when it aborts, also while the work waits. The work must end with the signal. */
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
