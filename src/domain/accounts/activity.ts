/** The activity of an account by day (UTC): requests by the time of the response, executions by the time of their end. */
import { timestamp } from '../clock.ts'

export const dayMs = 86_400_000

/** `2026-11-21` */
export function dayOf(ms: number): string {
  return timestamp(ms).slice(0, 10)
}

export interface RequestCount {
  requests: number
  /** Requests that got a 4xx or 503 response. */
  refused: number
}

/** The executions that ended on one day. */
export interface EndedExecutions {
  failures: { reason: string; count: number }[]
  /**
   * The number of completed executions by duration, from acceptance to the end, the shortest first; rounded as in
   * `roundedDuration`.
   */
  durations: [ms: number, count: number][]
}

export interface DayRange {
  from: string
  /** Inclusive. */
  to: string
}

export interface ActivityStore {
  /** Adds to the stored counts. Several processes can add at the same time. */
  addRequests(counts: (RequestCount & { accountId: string; day: string })[]): Promise<void>
  /** Days without requests are left out. Oldest first. */
  requestsOf(accountId: string, range: DayRange): Promise<(RequestCount & { day: string })[]>
  /**
   * Days without executions are left out. Oldest first. Closed days come from their stored sums, other days from the executions.
   */
  executionsOf(accountId: string, range: DayRange): Promise<(EndedExecutions & { day: string })[]>
  /**
   * Stores the sums of the oldest day before `before` that is not closed and on which executions of the account ended. An
   * execution that ends on that day later isn't counted. Returns the day, or undefined if there is none. Safe to run in several
   * processes at the same time.
   */
  closeNextDay(accountId: string, before: string): Promise<string | undefined>
}

/**
 * Rounded to about one percent, and exact below 100: a day has at most some hundred distinct values, so those of a year can be
 * added up.
 */
export function roundedDuration(ms: number): number {
  const rounded = Math.max(0, Math.round(ms))
  if (rounded < 100) return rounded
  const unit = 10 ** (Math.floor(Math.log10(rounded)) - 2)
  const leading = rounded / unit
  const step = unit * (leading < 200 ? 2 : leading < 500 ? 4 : 10)
  return Math.round(rounded / step) * step
}
