/** Noise reduction of luma and chroma, separately; preserves edges. */
import type { Pixels } from '../../types.ts'
import { copyPixels } from '../copy.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { guidedLines, type PairRows } from './guided.ts'

/** Standard deviations that count as noise, 0 to 1, and the radius of the filter. */
export interface DenoiseSettings {
  luma: number
  chroma: number
  radius: number
}

/**
 * Chroma is B - Y and R - Y as in YCbCr, with the luma of Rec. 709. Its coefficients are computed at half size and
 * upscaled (He and Sun, "Fast Guided Filter", 2015), because its noise and its detail are coarser. Alpha is copied.
 */
export async function reduceNoise(
  pixels: Pixels,
  { luma, chroma, radius }: DenoiseSettings,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { data: from, width, height, channels } = pixels
  const data = await copyPixels(pixels, context)
  const to = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length)
  const brightness = guidedLines((y, into) => lumaRow(pixels, y, into), pixels, radius, luma)
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) }
  const chromaLines = (channel: 0 | 2) =>
    doubled(
      guidedLines((y, into) => chromaRow(pixels, channel, y, into), half, radius, chroma),
      half,
      width,
    )
  const [reds, blues] = [chromaLines(0), chromaLines(2)]
  const line = () => new Float32Array(width)
  const lines: Lines = { ya: line(), yb: line(), ra: line(), rb: line(), ba: line(), bb: line() }
  await eachRow({ width: width * costly, height }, context, (y) => {
    brightness(lines.ya, lines.yb)
    reds(lines.ra, lines.rb)
    blues(lines.ba, lines.bb)
    applyLines(from, to, y * width * channels, channels, lines)
  })
  return { ...pixels, data }
}

/** Coefficients of luma, R - Y and B - Y: a * value + b. */
type Lines = Record<'ya' | 'yb' | 'ra' | 'rb' | 'ba' | 'bb', Float32Array>

function applyLines(
  from: Buffer,
  to: Uint8ClampedArray,
  start: number,
  channels: 3 | 4,
  { ya, yb, ra, rb, ba, bb }: Lines,
): void {
  for (let x = 0, at = start; x < ya.length; x += 1, at += channels) {
    const r = from[at] as number
    const b = from[at + 2] as number
    const luma = 0.2126 * r + 0.7152 * (from[at + 1] as number) + 0.0722 * b
    const bright = (ya[x] as number) * luma + (yb[x] as number) * 255
    const red = (ra[x] as number) * (r - luma) + (rb[x] as number) * 255
    const blue = (ba[x] as number) * (b - luma) + (bb[x] as number) * 255
    to[at] = bright + red
    to[at + 1] = bright - (0.2126 * red + 0.0722 * blue) / 0.7152
    to[at + 2] = bright + blue
  }
}

/** The cost of a pixel, relative to a copied one. */
const costly = 10

function lumaRow({ data, width, channels }: Pixels, y: number, into: Float32Array): void {
  for (let x = 0, at = y * width * channels; x < width; x += 1, at += channels) {
    into[x] =
      (0.2126 * (data[at] as number) + 0.7152 * (data[at + 1] as number) + 0.0722 * (data[at + 2] as number)) / 255
  }
}

/** R - Y or B - Y of squares of 2 x 2 pixels; fewer pixels at the edges. */
function chromaRow({ data, width, height, channels }: Pixels, channel: 0 | 2, y: number, into: Float32Array): void {
  const top = 2 * y * width * channels
  const down = 2 * y + 1 < height ? width * channels : 0
  for (let x = 0; x < into.length; x += 1) {
    const at = top + 2 * x * channels
    const right = 2 * x + 1 < width ? channels : 0
    const sum =
      chromaAt(data, at, channel) +
      chromaAt(data, at + right, channel) +
      chromaAt(data, at + down, channel) +
      chromaAt(data, at + down + right, channel)
    into[x] = sum / (4 * 255)
  }
}

function chromaAt(data: Buffer, at: number, channel: 0 | 2): number {
  const luma = 0.2126 * (data[at] as number) + 0.7152 * (data[at + 1] as number) + 0.0722 * (data[at + 2] as number)
  return (data[at + channel] as number) - luma
}

/** Rows at twice the size, interpolated linearly between the centres of the small pixels. */
function doubled(rows: PairRows, { width: half, height }: { width: number; height: number }, width: number): PairRows {
  const line = () => [new Float32Array(half), new Float32Array(half)] as const
  let [above, below] = [line(), line()]
  rows(...below)
  above[0].set(below[0])
  above[1].set(below[1])
  let read = 1
  let y = 0
  return (first, second) => {
    // The centre of row y is at y / 2 - 1 / 4 of the small rows.
    if (y % 2 === 1) {
      ;[above, below] = [below, above]
      if (read < height) rows(...below)
      else for (const at of [0, 1] as const) below[at].set(above[at])
      read += 1
    }
    const share = y % 2 === 1 ? 0.25 : 0.75
    doubledLine(above[0], below[0], share, first, width)
    doubledLine(above[1], below[1], share, second, width)
    y += 1
  }
}

function doubledLine(above: Float32Array, below: Float32Array, share: number, into: Float32Array, width: number): void {
  const last = above.length - 1
  let left = (above[0] as number) * (1 - share) + (below[0] as number) * share
  into[0] = left
  for (let at = 1, x = 1; x < width; at += 1, x += 2) {
    const next = Math.min(at, last)
    const right = (above[next] as number) * (1 - share) + (below[next] as number) * share
    into[x] = 0.75 * left + 0.25 * right
    if (x + 1 < width) into[x + 1] = 0.25 * left + 0.75 * right
    left = right
  }
}
