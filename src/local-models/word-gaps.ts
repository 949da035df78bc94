/**
 * Finds word spaces that the model omits: it was trained mostly on Chinese, which has none. They are gaps without ink
 * in the strip of the line that are wider than the gaps between letters.
 */
import type { ModelImage } from './define-model.ts'

/** Threshold as a share of the strip's height, and a multiple of the usual gap of the line: a space exceeds both. */
const partOfHeight = 0.15
const timesUsual = 2.2

/** Centres of the gaps between words, in pixels from the left. `length`: used width of the strip. */
export function wordGaps({ data, width, height }: ModelImage, length: number): number[] {
  const columns = inkOf(data, width, height, length)
  const most = columns.toSorted((a, b) => a - b)[Math.floor(length * 0.9)] ?? 0
  const gaps: { start: number; end: number }[] = []
  let last: number | undefined
  for (const [x, ink] of columns.entries()) {
    if (ink < most * 0.3) continue
    if (last !== undefined && x > last + 1) gaps.push({ start: last + 1, end: x })
    last = x
  }
  const widths = gaps.map(({ start, end }) => end - start).sort((a, b) => a - b)
  const usual = widths[Math.floor(widths.length / 2)] ?? 0
  const widest = Math.max(height * partOfHeight, usual * timesUsual)
  return gaps.filter(({ start, end }) => end - start > widest).map(({ start, end }) => (start + end) / 2)
}

/** Contrast of each column with the background, which most pixels show. */
function inkOf(data: Uint8Array, width: number, height: number, length: number): number[] {
  // Green is closest to luma. The rows at the top and bottom show neighbouring lines and frames.
  const [top, bottom] = [Math.round(height * 0.15), Math.round(height * 0.85)]
  const at = (x: number, y: number) => data[(y * width + x) * 3 + 1] as number
  const counts = new Uint32Array(256)
  for (let y = top; y < bottom; y += 1) {
    for (let x = 0; x < length; x += 1) counts[at(x, y)] = (counts[at(x, y)] as number) + 1
  }
  const ground = counts.indexOf(Math.max(...counts))
  return Array.from({ length }, (_, x) => {
    let ink = 0
    for (let y = top; y < bottom; y += 1) ink = Math.max(ink, Math.abs(at(x, y) - ground))
    return ink
  })
}
