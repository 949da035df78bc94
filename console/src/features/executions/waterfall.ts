/** The time range of each step, from the request to the end of the execution. */
import type { Execution, Step } from '../../api/types.ts'

export interface Bar {
  step: Step
  /** Milliseconds since the request; undefined for a step that has not started. */
  start?: number
  end?: number
}

export interface Waterfall {
  /** Milliseconds. */
  length: number
  /** Milliseconds in the queue. */
  queued: number
  bars: Bar[]
  /** Positions of the grid lines. */
  ticks: number[]
}

const ticksMax = 6

/** `now`: the end of running steps. */
export function waterfallOf(execution: Execution, steps: readonly Step[], now: number): Waterfall {
  const requestedAt = Date.parse(execution.createdAt ?? execution.startedAt ?? '')
  const since = (at: string) => Math.max(0, Date.parse(at) - requestedAt)
  const end = execution.completedAt === undefined ? now : Date.parse(execution.completedAt)
  const bars = steps
    .map((step): Bar => {
      if (step.startedAt === undefined) return { step }
      const start = since(step.startedAt)
      const isRunning = step.status === 'running'
      return { step, start, end: start + (step.duration ?? (isRunning ? Math.max(0, now - requestedAt - start) : 0)) }
    })
    .toSorted((a, b) => (a.start ?? Number.POSITIVE_INFINITY) - (b.start ?? Number.POSITIVE_INFINITY) || 0)
  const length = Math.max(1, end - requestedAt, ...bars.map((bar) => bar.end ?? 0))
  const queued = execution.startedAt === undefined ? length : since(execution.startedAt)
  return { length, queued, bars, ticks: ticksOf(length) }
}

/** Round numbers: 0, 200, 400, ... */
function ticksOf(length: number): number[] {
  const rough = length / ticksMax
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step)
}
