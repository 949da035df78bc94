/** Scales one channel down and up again, row by row. */

import type { Rectangle } from '../region.ts'
import type { Rows } from './box-blur.ts'

/** Means of squares of `step` pixels, 0 to 1, with a margin of empty squares. */
export function shrunkRows({ width, height }: Rectangle, alpha: Uint8Array, step: number, margin: number): Rows {
  const share = 1 / (255 * step * step)
  let top = -margin * step
  return (into) => {
    into.fill(0)
    for (let y = Math.max(0, top); y < Math.min(height, top + step); y += 1) {
      if (step === 1) copyRow(into, margin, alpha, y * width, width, share)
      else addMeans(into, margin, alpha, y * width, (y + 1) * width, step, share)
    }
    top += step
  }
}

function copyRow(
  into: Float32Array,
  margin: number,
  alpha: Uint8Array,
  from: number,
  count: number,
  share: number,
): void {
  for (let x = 0; x < count; x += 1) into[margin + x] = (alpha[from + x] as number) * share
}

function addMeans(
  into: Float32Array,
  margin: number,
  alpha: Uint8Array,
  from: number,
  end: number,
  step: number,
  share: number,
): void {
  for (let at = from, cell = margin; at < end; cell += 1) {
    let sum = 0
    for (const last = Math.min(end, at + step); at < last; at += 1) sum += alpha[at] as number
    into[cell] = (into[cell] as number) + sum * share
  }
}

/** Rows `step` times as wide and as many, interpolated linearly between the centres of the small pixels. */
export function enlargedRows(small: Rows, width: number, step: number): Rows {
  let [above, below] = [new Float32Array(width), new Float32Array(width)]
  // One more at the end, for the right half of the last square.
  const line = new Float32Array(width + 1)
  let upper = -2
  let y = 0
  return (into) => {
    const place = (y + 0.5) / step - 0.5
    while (upper < Math.floor(place)) {
      ;[above, below] = [below, above]
      small(below)
      if (upper === -2) above.set(below)
      upper += 1
    }
    const share = place - upper
    for (let x = 0; x < width; x += 1) {
      line[x] = (above[x] as number) * (1 - share) + (below[x] as number) * share
    }
    line[width] = line[width - 1] as number
    enlargeLine(line, step, into)
    y += 1
  }
}

function enlargeLine(line: Float32Array, step: number, into: Float32Array): void {
  const slope = 1 / step
  for (let cell = -1, x = 0; x < into.length; cell += 1) {
    const left = line[Math.max(0, cell)] as number
    const rise = ((line[cell + 1] as number) - left) * slope
    const end = Math.min(into.length, Math.ceil((cell + 1.5) * step - 0.5))
    for (; x < end; x += 1) into[x] = left + rise * (x + 0.5 - (cell + 0.5) * step)
  }
}
