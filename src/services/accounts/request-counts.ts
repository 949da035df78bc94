/** Counts requests in memory by account and day, and writes them every few seconds. A crash loses only those counts. */
import { type ActivityStore, dayMs, dayOf, type RequestCount } from '../../domain/accounts/activity.ts'
import type { Clock } from '../../domain/clock.ts'

export interface RequestCounts {
  /** Counts one request at its response. Synchronous, and writes nothing. */
  count(accountId: string, status: number): void
  /** Writes the counts. Counts that can't be written are kept for the next flush. */
  flush(): Promise<void>
  /** Stops the timer and flushes. */
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
  /** Counts by day, then by account. */
  let counted = new Map<string, Map<string, RequestCount>>()
  let ofDay = new Map<string, RequestCount>()
  let flushing: Promise<void> = Promise.resolve()

  function startDay(now: number): void {
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
    const unwritten = [...counted].flatMap(([day, counts]) =>
      [...counts].map(([accountId, count]) => ({ accountId, day, ...count })),
    )
    if (unwritten.length === 0) return
    counted = new Map()
    dayEndsAt = 0
    try {
      await activity.addRequests(unwritten)
    } catch (error) {
      for (const { accountId, day, requests, refused } of unwritten) add(countsOf(day), accountId, requests, refused)
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
      if (now >= dayEndsAt) startDay(now)
      add(ofDay, accountId, 1, isRefusal(status) ? 1 : 0)
    },
    flush,
    close() {
      clearInterval(timer)
      return flush()
    },
  }
}

/** A 500 is not a refusal: it is a failed execution, which is counted separately, or a bug of the service. */
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
