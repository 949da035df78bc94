import { setImmediate } from 'node:timers/promises'
import type { Pixels } from '../define.ts'

/** A copy of 4 channels that may be changed. */
export function copyWithAlpha({ data, width, height, channels }: Pixels): Pixels {
  if (channels === 4) return { data: Buffer.from(data), width, height, channels }
  const out = Buffer.alloc(width * height * 4, 255)
  for (let from = 0, to = 0; from < data.length; from += 3, to += 4) {
    out[to] = data[from] as number
    out[to + 1] = data[from + 1] as number
    out[to + 2] = data[from + 2] as number
  }
  return { data: out, width, height, channels: 4 }
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
