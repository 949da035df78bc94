import { setImmediate } from 'node:timers/promises'
import type { Pixels } from '../define.ts'
import { copyOf } from './copy.ts'
import type { JobContext } from './jobs.ts'
import { eachRow } from './rows.ts'

/** A copy of 4 channels that may be changed. */
export async function wideCopy(pixels: Pixels, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  const { width, height, channels } = pixels
  if (channels === 4) return { ...pixels, data: await copyOf(pixels, context) }
  const copy: Pixels = { data: Buffer.allocUnsafe(width * height * 4), width, height, channels: 4 }
  await eachRow(pixels, context, (y) => widenRow(pixels, copy, y))
  return copy
}

function widenRow({ data: from, width }: Pixels, { data }: Pixels, y: number): void {
  const end = (y + 1) * width * 3
  for (let at = y * width * 3, to = y * width * 4; at < end; at += 3, to += 4) {
    data[to] = from[at] as number
    data[to + 1] = from[at + 1] as number
    data[to + 2] = from[at + 2] as number
    data[to + 3] = 255
  }
}

const pixelsAtOnce = 4_000_000

/** Whether any pixel lets something through. Looks in pieces, so that a large picture does not hold up others. */
export async function isTransparent({ data, channels }: Pixels): Promise<boolean> {
  if (channels === 3) return false
  for (let start = 0; start < data.length; start += pixelsAtOnce * 4) {
    if (start > 0) await setImmediate()
    const end = Math.min(data.length, start + pixelsAtOnce * 4)
    for (let at = start + 3; at < end; at += 4) if (data[at] !== 255) return true
  }
  return false
}
