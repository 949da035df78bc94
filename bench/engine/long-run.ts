/** Whether a long-running process stays the same: its memory, and the delay of the event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { execute, photograph } from './lab.ts'

export interface LongRun {
  executions: number
  /** MiB resident: means from the 400th to the 600th execution, and of the last 200; and the maximum. */
  memory: { early: number; late: number; most: number }
  /** Delay of event loop callbacks in milliseconds, with an execution in each slot. */
  delayMs: { p50: number; p99: number; most: number }
}

const executions = 2_000
const atOnce = 4
const readEvery = 20

/** Two megapixels through six operations to WebP, four concurrently. */
export async function measureLongRun(): Promise<LongRun> {
  const jpeg = await (await photograph(1632, 1224)).jpeg({ quality: 85 }).toBuffer()
  const nodes = {
    source: { type: 'image', params: { source: 'jpeg' } },
    small: { type: 'resize', inputs: { image: 'source' }, params: { width: 640, height: 480 } },
    bright: { type: 'adjust', inputs: { image: 'small' }, params: { brightness: 1.1 } },
    shade: { type: 'gradient', params: { width: 640, height: 480, from: '#0000', to: '#000c' } },
    shaded: { type: 'composite', inputs: { image: 'bright', overlay: 'shade' } },
    title: { type: 'text', inputs: { image: 'shaded' }, params: { text: 'On and on', size: 64, color: 'white' } },
    corners: { type: 'round', inputs: { image: 'title' }, params: { radius: 24 } },
  }
  const once = () => execute(nodes, { node: 'corners', format: 'webp' }, { jpeg })
  const readings: number[] = []
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let started = 0
  let done = 0
  await once()
  delay.enable()
  const client = async () => {
    while (started < executions) {
      started += 1
      await once()
      done += 1
      if (done % readEvery === 0) readings.push(Math.round(process.memoryUsage.rss() / 1_048_576))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  delay.disable()
  const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - 1)
  const between = (from: number, to: number) => mean(readings.slice(from / readEvery, to / readEvery))
  return {
    executions,
    memory: { early: between(400, 600), late: between(executions - 200, executions), most: Math.max(...readings) },
    delayMs: { p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), most: ms(delay.max) },
  }
}

function mean(values: number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)
}
