import { monotonicMs } from './clock.ts'

/** Reports the first error and omits those of this time after it: work that is repeated every second fails again until the database is back. */
export function atMostEvery<Details extends unknown[]>(
  intervalMs: number,
  report: (error: unknown, ...details: Details) => void,
  now: () => number = monotonicMs,
): (error: unknown, ...details: Details) => void {
  let reportedAt: number | undefined
  return (error, ...details) => {
    if (reportedAt !== undefined && now() - reportedAt < intervalMs) return
    reportedAt = now()
    report(error, ...details)
  }
}
