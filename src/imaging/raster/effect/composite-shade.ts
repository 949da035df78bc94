/** Composites a shade and an image. */
import type { Pixels } from '../../types.ts'
import { copyRowAsRgba } from '../channels.ts'
import type { Color } from '../color.ts'
import { copyPixels } from '../copy.ts'
import type { JobContext } from '../jobs.ts'
import type { Rectangle } from '../region.ts'
import { eachRow } from '../rows.ts'
import type { Shade } from './shade.ts'

/** The canvas in the coordinates of the image. */
export interface Paint {
  canvas: Rectangle
  color: Color
  /** Order: below or over the image: destination over, source over (Porter and Duff). */
  order: 'below' | 'over'
}

/** The image on a new canvas, with the shade. */
export async function compositeWithShade(
  image: Pixels,
  shade: Shade,
  { canvas, color, order }: Paint,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { width, height } = canvas
  const data = Buffer.alloc(width * height * 4)
  const cover = new Float32Array(shade.width)
  const mix = order === 'below' ? mixBelow : mixOver
  const left = Math.max(0, shade.x - canvas.x)
  const right = Math.min(width, shade.x + shade.width - canvas.x)
  skip(shade, canvas.y, cover)
  await eachRow({ width: width * costly, height }, context, (row) => {
    const y = canvas.y + row
    if (y >= 0 && y < image.height) copyRowAsRgba(image, y, data, (row * width - canvas.x) * 4)
    if (y < shade.y || y >= shade.y + shade.height) return
    shade.rows(cover)
    const from = left + canvas.x - shade.x
    mix(data, (row * width + left) * 4, cover, from, right - left, color)
  })
  return { data, width, height, channels: 4 }
}

/** The cost of a pixel, relative to a copied one. */
const costly = 6

/** Skips the rows of a shade above `top`. */
function skip(shade: Shade, top: number, row: Float32Array): void {
  for (let y = shade.y; y < Math.min(top, shade.y + shade.height); y += 1) shade.rows(row)
}

function mixBelow(
  to: Buffer,
  at: number,
  cover: Float32Array,
  from: number,
  count: number,
  { r, g, b, alpha }: Color,
): void {
  for (let pixel = 0, t = at; pixel < count; pixel += 1, t += 4) {
    const alphaBelow = to[t + 3] as number
    if (alphaBelow === 255) continue
    const share = (cover[from + pixel] as number) * alpha
    if (share <= 0) continue
    if (alphaBelow === 0) {
      to[t] = r
      to[t + 1] = g
      to[t + 2] = b
      to[t + 3] = share * 255 + 0.5
      continue
    }
    const above = alphaBelow / 255
    const below = share * (1 - above)
    const sum = above + below
    const keep = above / sum
    const add = below / sum
    to[t] = (to[t] as number) * keep + r * add + 0.5
    to[t + 1] = (to[t + 1] as number) * keep + g * add + 0.5
    to[t + 2] = (to[t + 2] as number) * keep + b * add + 0.5
    to[t + 3] = sum * 255 + 0.5
  }
}

function mixOver(
  to: Buffer,
  at: number,
  cover: Float32Array,
  from: number,
  count: number,
  { r, g, b, alpha }: Color,
): void {
  for (let pixel = 0, t = at; pixel < count; pixel += 1, t += 4) {
    const above = (cover[from + pixel] as number) * alpha
    if (above <= 0) continue
    const below = ((to[t + 3] as number) / 255) * (1 - above)
    const sum = above + below
    const keep = below / sum
    const add = above / sum
    to[t] = (to[t] as number) * keep + r * add + 0.5
    to[t + 1] = (to[t + 1] as number) * keep + g * add + 0.5
    to[t + 2] = (to[t + 2] as number) * keep + b * add + 0.5
    to[t + 3] = sum * 255 + 0.5
  }
}

/**
 * Draws the shade on a copy of the image, which keeps its size and alpha (Porter and Duff: source atop). `inverted`:
 * outside the shade.
 */
export async function shadeAtop(
  image: Pixels,
  shade: Shade,
  { color, inverted }: { color: Color; inverted: boolean },
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { width, height, channels } = image
  const data = await copyPixels(image, context)
  const cover = new Float32Array(shade.width)
  const line = new Float32Array(width)
  const [from, to] = [Math.max(0, shade.x), Math.max(0, Math.min(width, shade.x + shade.width))]
  skip(shade, 0, cover)
  await eachRow({ width: width * costly, height }, context, (y) => {
    line.fill(0)
    if (y >= shade.y && y < shade.y + shade.height) {
      shade.rows(cover)
      if (from < to) line.set(cover.subarray(from - shade.x, to - shade.x), from)
    }
    mixUpon(data, y * width * channels, channels, line, color, inverted)
  })
  return { data, width, height, channels }
}

/** Draws the shade on pixels without other readers, in place (Porter and Duff: source over). */
export async function shadeOver(
  target: Pixels,
  shade: Shade,
  color: Color,
  context: Pick<JobContext, 'signal'>,
): Promise<void> {
  const { data, width, channels } = target
  const [left, right] = [Math.max(0, shade.x), Math.min(width, shade.x + shade.width)]
  const [top, bottom] = [Math.max(0, shade.y), Math.min(target.height, shade.y + shade.height)]
  if (left >= right || top >= bottom) return
  const cover = new Float32Array(shade.width)
  const seen = cover.subarray(left - shade.x, right - shade.x)
  skip(shade, 0, cover)
  await eachRow({ width: shade.width * costly, height: bottom - top }, context, (row) => {
    shade.rows(cover)
    const at = ((top + row) * width + left) * channels
    if (channels === 4) mixOver(data, at, seen, 0, seen.length, color)
    else mixUpon(data, at, channels, seen, color, false)
  })
}

function mixUpon(
  to: Buffer,
  at: number,
  channels: number,
  cover: Float32Array,
  { r, g, b, alpha }: Color,
  inverted: boolean,
): void {
  for (let x = 0, t = at; x < cover.length; x += 1, t += channels) {
    const covered = cover[x] as number
    const share = (inverted ? 1 - covered : covered) * alpha
    if (share <= 0) continue
    const rest = 1 - share
    to[t] = (to[t] as number) * rest + r * share + 0.5
    to[t + 1] = (to[t + 1] as number) * rest + g * share + 0.5
    to[t + 2] = (to[t + 2] as number) * rest + b * share + 0.5
  }
}
