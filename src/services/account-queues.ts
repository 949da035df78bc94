/** Queues of work per account: each account runs a limited number at the same time, and the rest of its work waits. */
import PQueue from 'p-queue'

export interface AccountQueues {
  /** Rejects with the reason of the signal, also while the work waits. The work must end on the signal. */
  run<Value>(accountId: string, signal: AbortSignal, work: () => Promise<Value>): Promise<Value>
}

/** `inAll`: the most that all accounts together run at the same time. They take turns if each runs one. Default: no limit. */
export function createAccountQueues(concurrency: number, inAll = Number.POSITIVE_INFINITY): AccountQueues {
  const all = Number.isFinite(inAll) ? new PQueue({ concurrency: inAll }) : undefined
  const queues = new Map<string, PQueue>()
  return {
    async run(accountId, signal, work) {
      signal.throwIfAborted()
      const queue = queues.get(accountId) ?? new PQueue({ concurrency })
      queues.set(accountId, queue)
      try {
        return await queue.add(() => all?.add(work, { signal }) ?? work(), { signal })
      } finally {
        if (queue.size + queue.pending === 0 && queues.get(accountId) === queue) queues.delete(accountId)
      }
    },
  }
}
