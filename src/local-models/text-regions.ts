/**
 * Converts the output of the detection model (the probability that a pixel is in the middle of a line) to rectangles
 * around lines, as PaddleOCR does (Liao et al. 2020, "Real-time Scene Text Detection with Differentiable
 * Binarization").
 */
import type { JobContext } from '../imaging/raster/jobs.ts'
import { eachRow } from '../imaging/raster/rows.ts'
import { type Point, type Slanted, smallestAround } from './slanted.ts'

/** Out of 255: minimum of a pixel, and minimum mean of a line. */
const levelMin = 0.3 * 255
const meanMin = 0.6 * 255

/** The model marks lines thinner than they are; each side moves outwards by this factor of area over perimeter. */
const growth = 1.6

/** Pixels. Thinner regions are not text. */
const thicknessMin = 3

interface Size {
  width: number
  height: number
}

export async function regionsOf(
  levels: Uint8Array,
  size: Size,
  context: Pick<JobContext, 'signal'>,
): Promise<Slanted[]> {
  const isSeen = new Uint8Array(levels.length)
  const found: Slanted[] = []
  // A text pixel costs about eight pixels of ordinary work.
  await eachRow({ width: size.width * 8, height: size.height }, context, (y) => {
    for (let start = y * size.width; start < (y + 1) * size.width; start += 1) {
      if ((levels[start] as number) < levelMin || isSeen[start] === 1) continue
      const { outline, mean } = fill(levels, isSeen, start, size)
      if (mean < meanMin) continue
      const core = smallestAround(outline)
      if (Math.min(core.width, core.height) < thicknessMin) continue
      const by = (core.width * core.height * growth) / (core.width + core.height)
      found.push({ ...core, width: core.width + by, height: core.height + by })
    }
  })
  return found
}

/** The connected region of a pixel: the outer edges of the ends of its rows. */
function fill(
  levels: Uint8Array,
  isSeen: Uint8Array,
  start: number,
  { width, height }: Size,
): { outline: Point[]; mean: number } {
  const stack = [start]
  const rows = new Map<number, { first: number; last: number }>()
  let sum = 0
  let count = 0
  const visit = (next: number) => {
    if (isSeen[next] === 1 || (levels[next] as number) < levelMin) return
    isSeen[next] = 1
    stack.push(next)
  }
  isSeen[start] = 1
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const [x, y] = [at % width, Math.floor(at / width)]
    sum += levels[at] as number
    count += 1
    const row = rows.get(y)
    if (row === undefined) rows.set(y, { first: x, last: x })
    else if (x < row.first) row.first = x
    else if (x > row.last) row.last = x
    if (x > 0) visit(at - 1)
    if (x < width - 1) visit(at + 1)
    if (y > 0) visit(at - width)
    if (y < height - 1) visit(at + width)
  }
  const outline = [...rows].flatMap(([y, { first, last }]) => [
    { x: first, y },
    { x: first, y: y + 1 },
    { x: last + 1, y },
    { x: last + 1, y: y + 1 },
  ])
  return { outline, mean: sum / count }
}
