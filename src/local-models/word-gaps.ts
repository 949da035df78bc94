/**
 * Spaces that the model swallows: it was trained on Chinese first, which has none. They are told from the strip of the
 * line itself, as gaps without ink that are wider than those between letters.
 */
import type { ModelImage } from './define-model.ts'

/** As parts of the strip's height, and of the line's usual gap: a space is wider than both. */
const partOfHeight = 0.15
const timesUsual = 2.2

/** Where the middles of gaps between words are, in pixels from the left. `length`: how much of the strip is the line. */
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

/** How far each column goes from the ground, which most pixels show. */
function inkOf(data: Uint8Array, width: number, height: number, length: number): number[] {
  // Green is nearest to luma. Above and below are neighbours and frames.
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
