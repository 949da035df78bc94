/** Light that spreads from the bright parts of an image to their surroundings. */
import type { Pixels } from '../../types.ts'
import type { Color } from '../color.ts'
import { copyPixels } from '../copy.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { blurredWithin } from './box-blur.ts'

export interface BloomSettings {
  sigma: number
  /** Luma at which a part starts to glow, 0 to 1. */
  threshold: number
  /** Factor for the light. */
  intensity: number
  /** Colour of the light; white keeps the colours of the image. */
  color: Color
}

/**
 * Adds the blurred bright parts with `screen` (Compositing and Blending 1, 10.1.3), which never clips. They are
 * blurred at a reduced size, which loses no visible detail, and as floats, so that a faint light has no steps. Alpha
 * does not change.
 */
export async function addBloom(
  pixels: Pixels,
  settings: BloomSettings,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const step = Math.max(1, Math.floor(settings.sigma / 2))
  const bright = await brightParts(pixels, step, settings.threshold, context)
  const { color, intensity } = settings
  const strength = [color.r, color.g, color.b].map((part) => (part / 255) * color.alpha * intensity)
  const light = await Promise.all(
    bright.planes.map((plane, at) => softened({ ...bright, plane }, settings.sigma / step, strength[at] ?? 0, context)),
  )
  return screened(pixels, light, { ...bright, step }, context)
}

/** A third of the full range: no hard edge between glowing and other parts. */
const knee = 1 / 3

interface Small {
  width: number
  height: number
}

/**
 * Means of squares of `step` x `step` pixels of the light of each channel, premultiplied: transparent pixels do not
 * glow.
 */
async function brightParts(
  { data, width, height, channels }: Pixels,
  step: number,
  threshold: number,
  context: Pick<JobContext, 'signal'>,
): Promise<Small & { planes: Float32Array[] }> {
  const small = { width: Math.ceil(width / step), height: Math.ceil(height / step) }
  const planes = [0, 1, 2].map(() => new Float32Array(small.width * small.height))
  const [red, green, blue] = planes as [Float32Array, Float32Array, Float32Array]
  const weights = Float32Array.from({ length: 256 }, (_, luma) => shining(luma / 255, threshold) / 255)
  await eachRow({ width: width * costly, height }, context, (y) => {
    const row = Math.floor(y / step) * small.width
    const rowsOfCell = Math.min(step, height - Math.floor(y / step) * step)
    for (let x = 0, at = y * width * channels; x < width; x += 1, at += channels) {
      const r = data[at] as number
      const g = data[at + 1] as number
      const b = data[at + 2] as number
      const weight = weights[(0.2126 * r + 0.7152 * g + 0.0722 * b + 0.5) | 0] as number
      if (weight === 0) continue
      const cell = row + ((x / step) | 0)
      const columnsOfCell = Math.min(step, width - ((x / step) | 0) * step)
      const alpha = channels === 4 ? (data[at + 3] as number) / 255 : 1
      const share = (weight * alpha) / (rowsOfCell * columnsOfCell)
      red[cell] = (red[cell] as number) + r * share
      green[cell] = (green[cell] as number) + g * share
      blue[cell] = (blue[cell] as number) + b * share
    }
  })
  return { ...small, planes }
}

/** A smooth step around the threshold. */
function shining(luma: number, threshold: number): number {
  const share = Math.max(0, Math.min(1, (luma - threshold) / knee + 0.5))
  return share * share * (3 - 2 * share)
}

async function softened(
  { plane, width, height }: Small & { plane: Float32Array },
  sigma: number,
  strength: number,
  context: Pick<JobContext, 'signal'>,
): Promise<Float32Array> {
  const rowAt = (y: number, into: Float32Array) => into.set(plane.subarray(y * width, (y + 1) * width))
  const rows = blurredWithin(rowAt, { width, height }, sigma)
  const soft = new Float32Array(width * height)
  await eachRow({ width: width * costly, height }, context, (y) => {
    const row = soft.subarray(y * width, (y + 1) * width)
    rows(row)
    for (let x = 0; x < width; x += 1) row[x] = (row[x] as number) * strength
  })
  return soft
}

/** The cost of a pixel, relative to a copied one. */
const costly = 8

async function screened(
  pixels: Pixels,
  light: Float32Array[],
  { width: columns, height: rows, step }: Small & { step: number },
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { width, channels } = pixels
  const data = await copyPixels(pixels, context)
  const places = Array.from({ length: width }, (_, x) => placeOf(x, step, columns))
  const left = Int32Array.from(places, ({ cell }) => cell)
  const shares = Float32Array.from(places, ({ share }) => share)
  const line = new Float32Array(columns + 1)
  await eachRow({ ...pixels, width: width * costly }, context, (y) => {
    const { cell, share } = placeOf(y, step, rows)
    for (const [channel, plane] of light.entries()) {
      const [above, below] = [cell * columns, Math.min(rows - 1, cell + 1) * columns]
      for (let x = 0; x < columns; x += 1) {
        line[x] = (plane[above + x] as number) * (1 - share) + (plane[below + x] as number) * share
      }
      line[columns] = line[columns - 1] as number
      screenRow(data, y * width * channels + channel, channels, line, left, shares)
    }
  })
  return { ...pixels, data }
}

function screenRow(
  to: Buffer,
  at: number,
  channels: number,
  line: Float32Array,
  left: Int32Array,
  shares: Float32Array,
): void {
  for (let x = 0, t = at; x < left.length; x += 1, t += channels) {
    const cell = left[x] as number
    const first = line[cell] as number
    const light = first + ((line[cell + 1] as number) - first) * (shares[x] as number)
    if (light <= 0) continue
    const value = to[t] as number
    to[t] = value + (255 - value) * Math.min(1, light) + 0.5
  }
}

/** The two cells whose centres surround a pixel, and its position between them. */
function placeOf(pixel: number, step: number, cells: number): { cell: number; share: number } {
  const place = Math.max(0, Math.min(cells - 1, (pixel + 0.5) / step - 0.5))
  return { cell: Math.floor(place), share: place % 1 }
}
