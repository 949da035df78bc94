/** What an account does, by the day (UTC): requests as they are answered, executions as they end. */
import { timestamp } from './clock.ts'

export const dayMs = 86_400_000

/** `2026-11-21` */
export function dayOf(ms: number): string {
  return timestamp(ms).slice(0, 10)
}

export interface RequestCount {
  requests: number
  /** Of them, those that were answered with 4xx or 503. */
  refused: number
}

/** Of executions that ended on one day. */
export interface EndedExecutions {
  failures: { reason: string; count: number }[]
  /**
   * How many of the completed ones took so many milliseconds, from acceptance to the end, the shortest first; see
   * `roundedDuration`.
   */
  durations: [ms: number, count: number][]
}

export interface DayRange {
  from: string
  /** It is in it. */
  to: string
}

export interface ActivityStore {
  /** Adds to what is there, whoever else does at the same time. */
  addRequests(counts: (RequestCount & { accountId: string; day: string })[]): Promise<void>
  /** Days without any are left out. Oldest first. */
  requestsOf(accountId: string, range: DayRange): Promise<(RequestCount & { day: string })[]>
  /**
   * Days without any are left out. Oldest first. Closed days are read as they were added up, the others from the
   * executions: what ends now is in it.
   */
  executionsOf(accountId: string, range: DayRange): Promise<(EndedExecutions & { day: string })[]>
  /**
   * Adds up the oldest day before `before` that is not closed and on which executions of the account ended, and keeps the
   * sums: what ends on it later is not in them. Undefined when there is none. Several at once do the same.
   */
  closeNextDay(accountId: string, before: string): Promise<string | undefined>
}

/** To one percent, and exactly below 100: a day has some hundred of them at most, so that those of a year can be added up. */
export function roundedDuration(ms: number): number {
  const whole = Math.max(0, Math.round(ms))
  if (whole < 100) return whole
  const unit = 10 ** (Math.floor(Math.log10(whole)) - 2)
  const leading = whole / unit
  const step = unit * (leading < 200 ? 2 : leading < 500 ? 4 : 10)
  return Math.round(whole / step) * step
}
