/** Requests, executions, failures and durations of an account over days. */
import type { AccountStore } from '../../domain/accounts/account.ts'
import {
  type ActivityStore,
  type DayRange,
  dayMs,
  dayOf,
  type EndedExecutions,
  type RequestCount,
} from '../../domain/accounts/activity.ts'
import type { Clock } from '../../domain/clock.ts'
import { createSkippedErrors, startingAfter } from '../../domain/skipped-errors.ts'

export interface ActivitySums extends RequestCount {
  /** Executions that ended. */
  executions: number
  completed: number
  failed: number
  /** The most frequent first. */
  failures: { reason: string; count: number }[]
  /** Milliseconds from acceptance to the stored output of completed executions; null if there are none. */
  duration: { median: number; p95: number } | null
}

export interface ActivitySummary {
  totals: ActivitySums
  /** Every day of the range, oldest first. */
  days: (ActivitySums & { day: string })[]
}

export interface Activity {
  /** The days of the range must exist. */
  of(accountId: string, range: DayRange): Promise<ActivitySummary>
  /**
   * Stores the sums of past days of all accounts, at most `daysMax` days. Returns how many. The error of one account is thrown after the others
   * had their turn.
   */
  closeDays(daysMax: number, signal?: AbortSignal): Promise<number>
}

interface Dependencies {
  activity: ActivityStore
  accounts: Pick<AccountStore, 'list'>
  clock: Clock
}

/** The store of an outcome is retried for half a minute if the database is unavailable, with its original time. */
const lateMs = 3_600_000

export function createActivity({ activity, accounts, clock }: Dependencies): Activity {
  /** The last account that had its turn. */
  let lastAccountId = ''

  return {
    async of(accountId, range) {
      const [requests, executions] = await Promise.all([
        activity.requestsOf(accountId, range),
        activity.executionsOf(accountId, range),
      ])
      const requestsByDay = new Map(requests.map((row) => [row.day, row]))
      const executionsByDay = new Map(executions.map((row) => [row.day, row]))
      return {
        totals: sumsOf(requests, executions),
        days: daysOf(range).map((day) => ({
          day,
          ...sumsOf(listOf(requestsByDay.get(day)), listOf(executionsByDay.get(day))),
        })),
      }
    },

    async closeDays(daysMax, signal) {
      const before = dayOf(clock.now() - lateMs)
      const errors = createSkippedErrors()
      const ids = (await accounts.list()).map(({ id }) => id)
      let closed = 0
      for (const id of startingAfter(lastAccountId, ids)) {
        if (closed >= daysMax || signal?.aborted) break
        lastAccountId = id
        await errors.skip(async () => {
          while (closed < daysMax && !signal?.aborted && (await activity.closeNextDay(id, before)) !== undefined)
            closed += 1
        })
      }
      errors.throwAny()
      return closed
    },
  }
}

function daysOf({ from, to }: DayRange): string[] {
  const first = Date.parse(from)
  return Array.from({ length: (Date.parse(to) - first) / dayMs + 1 }, (_, i) => dayOf(first + i * dayMs))
}

function listOf<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value]
}

function sumsOf(requests: readonly RequestCount[], executions: readonly EndedExecutions[]): ActivitySums {
  const reasons = new Map<string, number>()
  for (const { failures } of executions)
    for (const { reason, count } of failures) reasons.set(reason, (reasons.get(reason) ?? 0) + count)
  const durations = merged(executions.map((ended) => ended.durations))
  const completed = total(durations.map(([, count]) => count))
  const failed = total(reasons.values())
  return {
    requests: total(requests.map((count) => count.requests)),
    refused: total(requests.map((count) => count.refused)),
    executions: completed + failed,
    completed,
    failed,
    failures: [...reasons]
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
    duration: completed === 0 ? null : { median: at(durations, completed * 0.5), p95: at(durations, completed * 0.95) },
  }
}

type Durations = EndedExecutions['durations']

function merged(lists: readonly Durations[]): Durations {
  if (lists.length < 2) return lists[0] ?? []
  const sums = new Map<number, number>()
  for (const list of lists) for (const [ms, count] of list) sums.set(ms, (sums.get(ms) ?? 0) + count)
  return [...sums].sort(([a], [b]) => a - b)
}

function total(counts: Iterable<number>): number {
  let sum = 0
  for (const count of counts) sum += count
  return sum
}

/** The nearest rank: the smallest value with at least `rank` values up to it. */
function at(durations: Durations, rank: number): number {
  let passed = 0
  for (const [ms, count] of durations) {
    passed += count
    if (passed >= rank) return ms
  }
  return 0
}
