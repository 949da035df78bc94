/** Slots and memory of this process, shared fairly between accounts. The only queues in memory: executions wait as rows of the database. */
import { elapsedSince, monotonicMs } from './clock.ts'

export interface Entry {
  /** Entries without an account count as one more account. */
  account?: string | undefined
  /** Leaves the queue when it aborts: the entry then rejects with its reason. */
  signal?: AbortSignal | undefined
  /** Time to wait, for an error when it is over. */
  deadline?: { seconds: number; error: () => Error } | undefined
  /** Whether it may keep its slot for seconds and nothing can interrupt it. A long entry that waits does not delay the short ones of its account. */
  isLong?: boolean | undefined
  /** Whether it starts when no other entry has a slot, and keeps all others waiting until it ends. */
  isAlone?: boolean | undefined
}

export interface FairQueueOptions {
  /** Slots for all accounts together. Default: no limit. */
  slots?: number
  /** Slots for one account: for its long entries alone, or for all of its entries. Default: all slots. */
  perAccount?: number | ((slots: number, isLong: boolean) => number)
  /**
   * Time after which the newest entry of an account starts first, while its oldest has waited longer. For work that clients wait for: in the order of arrival, a
   * line that is longer than their patience serves none of them, because each has gone when its turn comes. Default: always the order of arrival.
   */
  newestFirstAfterMs?: number
}

export interface FairQueue {
  /** Resolves with the function that frees the slot; later calls of it have no effect. */
  enter(entry: Entry): Promise<() => void>
  /** Returns undefined if no slot is free for the entry. */
  tryEnter(entry: Entry): (() => void) | undefined
  /** Takes a slot even if none is free, for an entry that left its slot while it only waited. */
  reenter(entry: Entry): () => void
  /** Does the work in a slot. The signal ends only the waiting: the work must end on it by itself. */
  run<Value>(entry: Entry, work: () => Promise<Value>): Promise<Value>
  /** The number of waiting entries. */
  waiting(): number
  resize(slots: number): void
}

interface Waiting {
  entry: Entry
  sinceMs: number
  start(): void
}

interface Used {
  all: number
  long: number
}

/**
 * A free slot goes to the account with the fewest slots. Among several, accounts alternate: the account that had the slot comes last. Entries of one account
 * start in order of arrival, but see `newestFirstAfterMs`.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  let { slots = Number.POSITIVE_INFINITY } = options
  const { perAccount = Number.POSITIVE_INFINITY, newestFirstAfterMs } = options
  const used = new Map<string | undefined, Used>()
  /** Lanes of accounts with waiting entries. The account that started or freed a slot last is at the end. */
  const lanes = new Map<string, Set<Waiting>>()
  let running = 0
  let alone = 0
  let waitingAlone = 0
  let waiting = 0

  function mayStart({ account, isLong = false, isAlone = false }: Entry): boolean {
    if (running >= slots || alone > 0 || (isAlone && running > 0)) return false
    const { all = 0, long = 0 } = used.get(account) ?? {}
    const max = typeof perAccount === 'number' ? perAccount : perAccount(slots, isLong)
    return (isLong ? long : all) < max
  }

  function take(entry: Entry): () => void {
    count(entry, 1)
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      count(entry, -1)
      for (const key of [keyOf(entry, true), keyOf(entry, false)]) moveToEnd(key)
      startNext()
    }
  }

  function count({ account, isLong, isAlone }: Entry, by: 1 | -1): void {
    running += by
    if (isAlone) alone += by
    const { all, long } = used.get(account) ?? { all: 0, long: 0 }
    if (all + by === 0) used.delete(account)
    else used.set(account, { all: all + by, long: long + (isLong ? by : 0) })
  }

  function startNext(): void {
    for (let next = choose(); next !== undefined; next = choose()) {
      const { key, lane } = next
      const entry = isLate(next.first) ? newestOf(lane) : next.first
      lane.delete(entry)
      moveToEnd(key)
      entry.start()
    }
  }

  function isLate({ sinceMs }: Waiting): boolean {
    return newestFirstAfterMs !== undefined && elapsedSince(sinceMs) > newestFirstAfterMs
  }

  function moveToEnd(key: string): void {
    const lane = lanes.get(key)
    lanes.delete(key)
    if (lane !== undefined && lane.size > 0) lanes.set(key, lane)
  }

  function choose() {
    if (running >= slots) return undefined
    let chosen: { key: string; lane: Set<Waiting>; first: Waiting; count: number } | undefined
    for (const [key, lane] of lanes) {
      const [first] = lane
      if (first === undefined) continue
      const count = used.get(first.entry.account)?.all ?? 0
      const isBefore = chosen === undefined || count < chosen.count
      // An entry that must be alone keeps others from the slot: it would otherwise wait for ever.
      if (isBefore && mayStart({ ...first.entry, isAlone: false })) chosen = { key, lane, first, count }
    }
    return chosen && mayStart(chosen.first.entry) ? chosen : undefined
  }

  async function enter(entry: Entry): Promise<() => void> {
    const { signal, deadline } = entry
    signal?.throwIfAborted()
    const free = tryEnter(entry)
    if (free) return free
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const key = keyOf(entry, entry.isLong)
    const lane = lanes.get(key) ?? new Set()
    const timer = deadline && setTimeout(() => leave(deadline.error()), deadline.seconds * 1_000)
    const onAbort = () => leave(signal?.reason)
    const end = () => {
      waiting -= 1
      if (entry.isAlone) waitingAlone -= 1
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const own: Waiting = {
      entry,
      sinceMs: monotonicMs(),
      start() {
        end()
        resolve(take(entry))
      },
    }
    function leave(reason: unknown): void {
      end()
      lane.delete(own)
      if (lane.size === 0) lanes.delete(key)
      reject(reason)
      // It may have kept others from a slot.
      startNext()
    }
    waiting += 1
    if (entry.isAlone) waitingAlone += 1
    lanes.set(key, lane.add(own))
    signal?.addEventListener('abort', onAbort, { once: true })
    return promise
  }

  /** Entries that wait may not start now, except those behind one that must be alone. */
  function tryEnter(entry: Entry): (() => void) | undefined {
    return waitingAlone === 0 && mayStart(entry) ? take(entry) : undefined
  }

  return {
    enter,
    tryEnter,
    reenter: take,
    async run(entry, work) {
      const free = await enter(entry)
      try {
        return await work()
      } finally {
        free()
      }
    },
    waiting: () => waiting,
    resize(count) {
      slots = count
      startNext()
    },
  }
}

function newestOf(lane: Iterable<Waiting>): Waiting {
  let newest: Waiting | undefined
  for (const each of lane) newest = each
  return newest as Waiting
}

function keyOf({ account = '' }: Entry, isLong = false): string {
  return `${isLong ? 'long' : 'short'} ${account}`
}

/** Memory of this process, shared between accounts, in any unit. */
export interface SharedMemory {
  /** The part of one execution or upload. One account can't have all of it. */
  open(account?: string): MemoryPart
  /** Calls the function when the entire memory is short: it gives back what others need more, such as a cache. */
  onShortage(release: () => void): void
}

export interface MemoryPart {
  /** Waits until this much more fits. Rejects with the reason of the signal. */
  take(amount: number, signal: AbortSignal): Promise<void>
  /** Counts without waiting. Less than 0: gives back. */
  add(amount: number): void
  isOpen(): boolean
  /** The caller gives back what it has taken, now or later. */
  close(): void
}

interface Holder {
  account: string | undefined
  used: number
}

/** The part of the memory that one account always leaves to the others. */
const othersPart = 1 / 4

/**
 * If nothing fits, the first part may exceed the maximum, so that one always continues. No other may do that until it has ended, or
 * everything fits again. Otherwise the account that has the least comes first. `onReleased` is called shortly before the last reference
 * is dropped.
 */
export function createSharedMemory(max: number, onReleased?: (amount: number) => void): SharedMemory {
  const accountMax = max * (1 - othersPart)
  let used = 0
  const open = new Set<Holder>()
  /** The part that may exceed the maximum. */
  let exempt: Holder | undefined
  const waiting = new Map<() => void, Holder>()
  const releases: (() => void)[] = []

  function add(holder: Holder, amount: number): void {
    used += amount
    holder.used += amount
    if (amount >= 0) return
    onReleased?.(-amount)
    wake()
  }

  function wake(): void {
    if (used <= max) exempt = undefined
    const byUse = [...waiting].map(([look, { account }]) => ({ look, used: usedBy(account) }))
    for (const { look } of byUse.sort((a, b) => a.used - b.used)) look()
  }

  function usedBy(account: string | undefined): number {
    let sum = 0
    for (const holder of open) if (holder.account === account && holder !== exempt) sum += holder.used
    return sum
  }

  const hasRoom = (amount: number) => used - (exempt?.used ?? 0) + amount <= max

  function fits(holder: Holder, amount: number): boolean {
    if (holder === exempt || !open.has(holder)) return true
    const { account } = holder
    if (hasRoom(amount) && (account === undefined || usedBy(account) + amount <= accountMax)) return true
    if (exempt !== undefined) return false
    exempt = holder
    return true
  }

  function waitForRoom(holder: Holder, amount: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const end = () => {
      waiting.delete(look)
      signal.removeEventListener('abort', onAbort)
    }
    const look = () => {
      if (!waiting.has(look) || !fits(holder, amount)) return
      end()
      // Counted here and not by the waiter, so that the next check includes it.
      add(holder, amount)
      resolve()
    }
    const onAbort = () => {
      end()
      reject(signal.reason)
    }
    waiting.set(look, holder)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    return promise
  }

  return {
    open(account) {
      const holder: Holder = { account, used: 0 }
      open.add(holder)
      return {
        async take(amount, signal) {
          if (amount === 0) return
          if (!hasRoom(amount)) for (const release of releases) release()
          if (fits(holder, amount)) add(holder, amount)
          else await waitForRoom(holder, amount, signal)
        },
        add: (amount) => add(holder, amount),
        isOpen: () => open.has(holder),
        close() {
          open.delete(holder)
          if (exempt === holder) exempt = undefined
          wake()
        },
      }
    },
    onShortage: (release) => void releases.push(release),
  }
}
