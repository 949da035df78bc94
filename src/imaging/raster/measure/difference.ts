/** Differences between two images of the same size: perceptual and numeric. */
import pixelmatch from 'pixelmatch'
import { createPauses } from '../../../domain/pauses.ts'
import type { Pixels } from '../../types.ts'
import { abortFault, type JobContext } from '../jobs.ts'

export interface DifferenceOptions {
  /** Maximum distance of two colours in YIQ that count as equal, as a share of black to white, 0 to 1. */
  threshold: number
  /** Whether pixels count that differ only in the anti-aliasing of an edge. */
  antialiasing: boolean
}

export interface Difference {
  /** One byte per pixel: 1 if it differs perceptually, otherwise 0. */
  map: Uint8Array
  /** Number of differing pixels. */
  count: number
  /** Differences in levels, 0 to 255, over all channels: colours weighted by alpha, and alpha if there is any. */
  max: number
  mean: number
  meanSquare: number
}

export async function differenceOf(
  a: Pixels,
  b: Pixels,
  options: DifferenceOptions,
  context: Pick<JobContext, 'signal'>,
): Promise<Difference> {
  const { width, height } = a
  const map = new Uint8Array(width * height)
  const hasAlpha = a.channels === 4 || b.channels === 4
  const sums = { max: 0, sum: 0, squares: 0 }
  const rowsAtOnce = Math.max(1, Math.floor(pixelsAtOnce / width))
  let count = 0
  const pauseIfDue = createPauses()
  for (let top = 0; top < height; top += rowsAtOnce) {
    await pauseIfDue()
    if (context.signal.aborted) throw abortFault(context.signal)
    const bottom = Math.min(height, top + rowsAtOnce)
    const [from, to] = [Math.max(0, top - reach), Math.min(height, bottom + reach)]
    const [first, second] = [rgba(a, from, to), rgba(b, from, to)]
    const inner: [number, number] = [(top - from) * width * 4, (bottom - from) * width * 4]
    measure(first.subarray(...inner), second.subarray(...inner), hasAlpha, sums)
    const shown = new Uint8Array(first.length)
    const { threshold, antialiasing } = options
    pixelmatch(first, second, shown, width, to - from, { threshold, includeAA: antialiasing, diffMask: true })
    for (let at = inner[0] + 3, pixel = top * width; at < inner[1]; at += 4, pixel += 1) {
      if (shown[at] === 0) continue
      map[pixel] = 1
      count += 1
    }
  }
  const values = width * height * (hasAlpha ? 4 : 3)
  return { map, count, max: sums.max, mean: sums.sum / values, meanSquare: sums.squares / values }
}

/** pixelmatch is synchronous; this many pixels take a few milliseconds. */
const pixelsAtOnce = 100_000
/** Rows around a pixel that pixelmatch reads to detect anti-aliasing. */
const reach = 2

/** Rows in the format of pixelmatch: 4 channels, aligned to words of 4 bytes. */
function rgba({ data, width, channels }: Pixels, from: number, to: number): Uint8Array {
  const part = data.subarray(from * width * channels, to * width * channels)
  if (channels === 4) return Uint8Array.from(part)
  const out = new Uint8Array((to - from) * width * 4)
  for (let at = 0, into = 0; into < out.length; at += 3, into += 4) {
    out[into] = part[at] as number
    out[into + 1] = part[at + 1] as number
    out[into + 2] = part[at + 2] as number
    out[into + 3] = 255
  }
  return out
}

function measure(
  a: Uint8Array,
  b: Uint8Array,
  hasAlpha: boolean,
  sums: { max: number; sum: number; squares: number },
): void {
  let { max, sum, squares } = sums
  for (let at = 0; at < a.length; at += 4) {
    const [alphaA, alphaB] = [a[at + 3] as number, b[at + 3] as number]
    for (let channel = at; channel < at + 3; channel += 1) {
      const seen = hasAlpha
        ? ((a[channel] as number) * alphaA - (b[channel] as number) * alphaB) / 255
        : (a[channel] as number) - (b[channel] as number)
      const distance = Math.abs(seen)
      if (distance > max) max = distance
      sum += distance
      squares += distance * distance
    }
    if (!hasAlpha) continue
    const distance = Math.abs(alphaA - alphaB)
    if (distance > max) max = distance
    sum += distance
    squares += distance * distance
  }
  sums.max = max
  sums.sum = sum
  sums.squares = squares
}
