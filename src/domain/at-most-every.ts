import { monotonicMs } from './clock.ts'

/** Reports the first error and omits those of this time after it: work that is repeated every second fails again until the database is back. */
export function atMostEvery(
  intervalMs: number,
  report: (error: unknown) => void,
  now: () => number = monotonicMs,
): (error: unknown) => void {
  let reportedAt: number | undefined
  return (error) => {
    if (reportedAt !== undefined && now() - reportedAt < intervalMs) return
    reportedAt = now()
    report(error)
  }
}
