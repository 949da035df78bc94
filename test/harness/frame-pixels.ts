/** Compares frames with pixels. */
import type { Frame } from '../../shared/frames.ts'
import { toRgba } from '../../src/imaging/raster/channels.ts'
import { intersection, type Rectangle } from '../../src/imaging/raster/region.ts'
import type { Pixels } from '../../src/imaging/types.ts'
import type { OperationContext } from '../../src/operations/define.ts'

/** The smallest rectangle with all pixels that differ visibly. */
export async function boundsOfChange(
  one: Pixels,
  other: Pixels,
  context: OperationContext,
  changeMin = visible,
): Promise<Rectangle | undefined> {
  const [before, after] = await Promise.all([toRgba(one, context), toRgba(other, context)])
  const { width, height } = before
  if (after.width !== width || after.height !== height) return undefined
  let [left, right, top, bottom] = [width, -1, height, -1]
  for (let y = 0; y < height; y += 1) {
    const [start, end] = [y * width * 4, (y + 1) * width * 4]
    if (before.data.subarray(start, end).equals(after.data.subarray(start, end))) continue
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4
      let most = 0
      for (let channel = 0; channel < 4; channel += 1)
        most = Math.max(most, Math.abs((before.data[at + channel] ?? 0) - (after.data[at + channel] ?? 0)))
      if (most < changeMin) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  return bottom === -1 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}

/** A pixel that an edge covers by less than this is as good as outside. */
const visible = 12

/** The rectangle around a frame, with its rotation, in the image. Edges that aren't rotated are drawn at whole pixels. */
export function boundsOfFrame(
  frame: Frame,
  { width, height }: Pick<Pixels, 'width' | 'height'>,
): Rectangle | undefined {
  const points = cornersOf(frame)
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const snap = frame.rotation || frame.kind === 'quad' ? (edge: number) => edge : Math.round
  const [left, top, right, bottom] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map(snap)
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return undefined
  const area = { x: left, y: top, width: right - left, height: bottom - top }
  return intersection(area, { x: 0, y: 0, width, height })
}

function cornersOf({ points, rotation = 0 }: Frame): [number, number][] {
  const [[left, top] = [0, 0], [right, bottom] = [left, top]] = points
  if (points.length === 4) return points
  const radians = (rotation * Math.PI) / 180
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)]
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const corners = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ] as const
  return corners.map(([cx, cy]) => [x + (cx - x) * cos - (cy - y) * sin, y + (cx - x) * sin + (cy - y) * cos])
}

/** Intersection over union. */
export function overlapOf(one: Rectangle, other: Rectangle): number {
  const both = intersection(one, other)
  const shared = both ? both.width * both.height : 0
  return shared / (one.width * one.height + other.width * other.height - shared)
}
