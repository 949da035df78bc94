/** Slots for work in this process, shared fairly between accounts. The only queue in memory: all others are rows of the database. */
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
  /** Its part of `bytesMax`. */
  bytes?: number | undefined
}

export interface FairQueueOptions {
  /** Slots for all accounts together. Default: no limit. */
  slots?: number
  /** Slots for one account: for its long entries alone, or for all of its entries. Default: all slots. */
  perAccount?: number | ((slots: number, isLong: boolean) => number)
  /**
   * Maximum of bytes for all entries with a slot. A larger entry starts when no other entry has one. Default: no limit.
   */
  bytesMax?: number
  /**
   * For work that clients wait for: the newest entry of an account starts first while its oldest has waited for this time. In the order of arrival, a line that
   * is longer than the patience of its clients serves none of them, because each has gone when its turn comes. Default: the order of arrival, always.
   */
  newestFirstAfterMs?: number
}

export interface FairQueue {
  /** Resolves with the function that frees the slot; later calls of it have no effect. */
  enter(entry: Entry): Promise<() => void>
  /** Returns undefined if no slot is free for the entry. */
  tryEnter(entry: Entry): (() => void) | undefined
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
  const { perAccount = Number.POSITIVE_INFINITY, bytesMax = Number.POSITIVE_INFINITY, newestFirstAfterMs } = options
  const used = new Map<string | undefined, Used>()
  /** Lanes of accounts with waiting entries. The account that started or freed a slot last is at the end. */
  const lanes = new Map<string, Set<Waiting>>()
  let running = 0
  let bytesUsed = 0
  let waiting = 0

  function mayStart({ account, isLong = false, bytes = 0 }: Entry): boolean {
    if (running >= slots || (running > 0 && bytesUsed + bytes > bytesMax)) return false
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

  function count({ account, isLong, bytes = 0 }: Entry, by: 1 | -1): void {
    running += by
    bytesUsed += by * bytes
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
      // Bytes that don't fit yet keep others from the slot: large entries would otherwise wait for ever.
      if (isBefore && mayStart({ ...first.entry, bytes: 0 })) chosen = { key, lane, first, count }
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
      // Its bytes may have kept others from a slot.
      startNext()
    }
    waiting += 1
    lanes.set(key, lane.add(own))
    signal?.addEventListener('abort', onAbort, { once: true })
    return promise
  }

  /** Entries that wait may not start now, except those behind one with too many bytes. */
  function tryEnter(entry: Entry): (() => void) | undefined {
    const isBlocked = bytesMax < Number.POSITIVE_INFINITY && waiting > 0
    return !isBlocked && mayStart(entry) ? take(entry) : undefined
  }

  return {
    enter,
    tryEnter,
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
