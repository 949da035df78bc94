/** Two images of the same size, on either side of a straight line. */
import type { Pixels } from '../../types.ts'
import { toRgba } from '../channels.ts'
import type { Color } from '../color.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import type { Point } from '../shape/quad.ts'
import type { Size } from '../shape/scaled.ts'

/** All points with x * across + y * down = at; (across, down) has length 1. */
export interface Line {
  across: number
  down: number
  at: number
}

/** Rotated clockwise from vertical; `share` is its position on the image: 0 at the start, 1 at the end. */
export function lineOver({ width, height }: Size, degrees: number, share: number): Line {
  const across = cleaned(Math.cos((degrees * Math.PI) / 180))
  const down = cleaned(Math.sin((degrees * Math.PI) / 180))
  const ends = [0, width * across].flatMap((x) => [0, height * down].map((y) => x + y))
  const [first, last] = [Math.min(...ends), Math.max(...ends)]
  return { across, down, at: first + (last - first) * share }
}

/** The middle of the part of the line that lies on the image. */
export function middleOf({ across, down, at }: Line, { width, height }: Size): Point {
  const foot = { x: across * at, y: down * at }
  // Positions along the line where it enters and leaves the image, relative to its foot.
  const spans = [
    { from: foot.x, step: -down, to: width },
    { from: foot.y, step: across, to: height },
  ].flatMap(({ from, step, to }) => (step === 0 ? [] : [[-from / step, (to - from) / step].sort((a, b) => a - b)]))
  const enters = Math.max(...spans.map(([first = 0]) => first))
  const leaves = Math.min(...spans.map(([, last = 0]) => last))
  const along = (enters + leaves) / 2
  return { x: foot.x - down * along, y: foot.y + across * along }
}

/** `before` on one side of the line, `after` on the other, and a stroke of `width` pixels in between. */
export async function split(
  before: Pixels,
  after: Pixels,
  line: Line,
  stroke: { width: number; color: Color },
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const channels = before.channels === 4 || after.channels === 4 ? 4 : 3
  const left = before.channels === channels ? before : await toRgba(before, context)
  const right = after.channels === channels ? after : await toRgba(after, context)
  const { width, height } = before
  const data = Buffer.allocUnsafe(width * height * channels)
  const rowBytes = width * channels
  const half = stroke.width / 2
  const reach = half + 0.5
  const { r, g, b, alpha: opacity } = stroke.color
  await eachRow(before, context, (y) => {
    const start = y * rowBytes
    const base = (y + 0.5) * line.down - line.at
    const [first, last] = [base + 0.5 * line.across, base + (width - 0.5) * line.across]
    if (Math.max(first, last) <= -reach) return void left.data.copy(data, start, start, start + rowBytes)
    if (Math.min(first, last) >= reach) return void right.data.copy(data, start, start, start + rowBytes)
    for (let x = 0, at = start; x < width; x += 1, at += channels) {
      // The distance from the pixel centre to the line; an approximation of the covered area.
      const distance = base + (x + 0.5) * line.across
      const share = distance >= 0.5 ? 1 : distance <= -0.5 ? 0 : distance + 0.5
      const gone = half + 0.5 - Math.abs(distance)
      const inked = half === 0 || gone <= 0 ? 0 : Math.min(1, gone, 2 * half) * opacity
      const here = channels === 4 ? (left.data[at + 3] as number) / 255 : 1
      const there = channels === 4 ? (right.data[at + 3] as number) / 255 : 1
      const ofLeft = here * (1 - share) * (1 - inked)
      const ofRight = there * share * (1 - inked)
      const sum = ofLeft + ofRight + inked
      const scale = sum === 0 ? 0 : 1 / sum
      data[at] = ((left.data[at] as number) * ofLeft + (right.data[at] as number) * ofRight + r * inked) * scale + 0.5
      data[at + 1] =
        ((left.data[at + 1] as number) * ofLeft + (right.data[at + 1] as number) * ofRight + g * inked) * scale + 0.5
      data[at + 2] =
        ((left.data[at + 2] as number) * ofLeft + (right.data[at + 2] as number) * ofRight + b * inked) * scale + 0.5
      if (channels === 4) data[at + 3] = sum * 255 + 0.5
    }
  })
  return { data, width, height, channels }
}

/** Floating-point cosine of 90 degrees is not exactly 0. */
function cleaned(value: number): number {
  return Math.abs(value) < 1e-12 ? 0 : value
}
