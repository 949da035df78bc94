/** A bounded number of slots that is shared fairly between accounts. */

export interface Entry {
  /** Accounts take turns. Entries without an account count as one more account. */
  account?: string | undefined
  /** Leaves the queue when it aborts; the entry then rejects with its reason. */
  signal: AbortSignal
  /** Whether it may keep its slot for seconds, and nothing can interrupt it. */
  isLong?: boolean
}

export interface Gate {
  /** Resolves with the function that frees the slot. */
  enter(entry: Entry): Promise<() => void>
  resize(slots: number): void
}

export interface GateOptions {
  slots: number
  /** How many slots one account may have: with its long entries only, or with all of its entries. */
  accountMax(slots: number, entry: Entry): number
}

interface Waiting {
  entry: Entry
  start(): void
}

/** Maximum number of accounts whose last turn is remembered. */
const accountsKept = 1_000

/**
 * A free slot goes to the account with the fewest slots; among several, to the account whose last turn is longest
 * ago. Long and other entries of an account have separate queues, so that a long entry that may not start does not
 * delay a short one.
 */
export function createGate({ slots, accountMax }: GateOptions): Gate {
  const running = new Set<Entry>()
  const lines = new Map<string, Waiting[]>()
  /** Accounts in the order of their last turns, with its number. */
  const turns = new Map<string | undefined, number>()
  let turn = 0

  function start(entry: Entry): void {
    running.add(entry)
    turn += 1
    turns.delete(entry.account)
    turns.set(entry.account, turn)
    const [eldest] = turns.keys()
    if (turns.size > accountsKept) turns.delete(eldest)
  }

  function next(): void {
    while (running.size < slots) {
      const key = choose()
      const line = key === undefined ? undefined : lines.get(key)
      const first = line?.shift()
      if (key === undefined || line === undefined || first === undefined) return
      if (line.length === 0) lines.delete(key)
      first.start()
    }
  }

  function choose(): string | undefined {
    let chosen: { key: string; count: number; last: number } | undefined
    for (const [key, [first]] of lines) {
      if (first === undefined || !mayStart(first.entry)) continue
      const [count, last] = [runningOf(first.entry), turns.get(first.entry.account) ?? 0]
      const isBefore = chosen && (count === chosen.count ? last < chosen.last : count < chosen.count)
      if (chosen === undefined || isBefore) chosen = { key, count, last }
    }
    return chosen?.key
  }

  function mayStart(entry: Entry): boolean {
    return runningOf(entry, entry.isLong) < accountMax(slots, entry)
  }

  function runningOf({ account }: Entry, onlyLong = false): number {
    let count = 0
    for (const job of running) if (job.account === account && (job.isLong || !onlyLong)) count += 1
    return count
  }

  return {
    enter(entry) {
      const { signal } = entry
      if (signal.aborted) return Promise.reject(signal.reason)
      const leave = () => {
        if (running.delete(entry)) next()
      }
      // Entries that wait may not start now; otherwise no slot would be free.
      if (running.size < slots && mayStart(entry)) {
        start(entry)
        return Promise.resolve(leave)
      }
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const key = `${entry.isLong ? 'long' : 'short'} ${entry.account ?? ''}`
      const waiting: Waiting = {
        entry,
        start() {
          signal.removeEventListener('abort', onAbort)
          start(entry)
          resolve(leave)
        },
      }
      const onAbort = () => {
        const line = lines.get(key) ?? []
        line.splice(line.indexOf(waiting), 1)
        if (line.length === 0) lines.delete(key)
        reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      lines.set(key, [...(lines.get(key) ?? []), waiting])
      return promise
    },
    resize(count) {
      slots = count
      next()
    },
  }
}
