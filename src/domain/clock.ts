/** Time, in one place, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A monotonic clock in milliseconds, for durations and deadlines, never for dates. */
export function elapsedSince(startMs: number): number {
  return performance.now() - startMs
}

export function monotonicMs(): number {
  return performance.now()
}

/** Seconds until a deadline that is this far away now. Never 0, which some callers take for no limit. */
export function countdown(seconds: number): () => number {
  const startMs = monotonicMs()
  return () => Math.max(0.001, seconds - elapsedSince(startMs) / 1_000)
}

/** CPU time of this thread in milliseconds, for limits on work that blocks the event loop. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** `2026-11-21T10:07:49.000Z`: the specification's `<timestamp>`. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}
