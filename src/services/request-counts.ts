/** Requests, counted in memory by account and day, and written every few seconds: a crash loses those, no more. */
import { type ActivityStore, dayMs, dayOf, type RequestCount } from '../domain/activity.ts'
import type { Clock } from '../domain/clock.ts'

export interface RequestCounts {
  /** Called for each request as it is answered: nothing is awaited, nothing is written. */
  count(accountId: string, status: number): void
  /** Writes what has been counted so far. What cannot be written is kept for the next time. */
  flush(): Promise<void>
  /** The last flush. */
  close(): Promise<void>
}

interface Dependencies {
  activity: Pick<ActivityStore, 'addRequests'>
  clock: Clock
  onError(error: unknown): void
}

const everyMs = 5_000

export function createRequestCounts({ activity, clock, onError }: Dependencies): RequestCounts {
  let day = ''
  let dayEndsAt = 0
  /** By day, then by account. */
  let counted = new Map<string, Map<string, RequestCount>>()
  let ofDay = new Map<string, RequestCount>()
  let flushing: Promise<void> = Promise.resolve()

  function begin(now: number): void {
    day = dayOf(now)
    dayEndsAt = Date.parse(day) + dayMs
    ofDay = countsOf(day)
  }

  function countsOf(which: string): Map<string, RequestCount> {
    const known = counted.get(which) ?? new Map<string, RequestCount>()
    counted.set(which, known)
    return known
  }

  async function write(): Promise<void> {
    const taken = [...counted].flatMap(([day, counts]) =>
      [...counts].map(([accountId, count]) => ({ accountId, day, ...count })),
    )
    if (taken.length === 0) return
    counted = new Map()
    dayEndsAt = 0
    try {
      await activity.addRequests(taken)
    } catch (error) {
      for (const { accountId, day, requests, refused } of taken) add(countsOf(day), accountId, requests, refused)
      onError(error)
    }
  }

  function flush(): Promise<void> {
    flushing = flushing.then(write)
    return flushing
  }

  const timer = setInterval(flush, everyMs)
  timer.unref()

  return {
    count(accountId, status) {
      const now = clock.now()
      if (now >= dayEndsAt) begin(now)
      add(ofDay, accountId, 1, isRefusal(status) ? 1 : 0)
    },
    flush,
    close() {
      clearInterval(timer)
      return flush()
    },
  }
}

/** 500 is none: a failed execution, which is counted as such, or a fault of the service. */
function isRefusal(status: number): boolean {
  return (status >= 400 && status < 500) || status === 503
}

function add(counts: Map<string, RequestCount>, accountId: string, requests: number, refused: number): void {
  const known = counts.get(accountId)
  if (known === undefined) {
    counts.set(accountId, { requests, refused })
    return
  }
  known.requests += requests
  known.refused += refused
}
