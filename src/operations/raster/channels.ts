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
