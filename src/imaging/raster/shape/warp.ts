/**
 * An image through a projective map. Each pixel of the result looks up its source position; samples are bicubic
 * (Catmull-Rom), and if many source pixels map to one, the result is their mean over its footprint. The width of the
 * mean and the support of the cubic add up like variances (Heckbert 1989, 3.3), so that sharpness changes smoothly
 * from enlarged to reduced areas.
 */
import { createPauses } from '../../../domain/pauses.ts'
import type { ImageValue, Pixels } from '../../types.ts'
import type { ImageContext } from '../image.ts'
import { abortFault } from '../jobs.ts'
import { isDrawing } from '../read/drawn.ts'
import {
  areaOf,
  clipped,
  type Homography,
  insides,
  type Point,
  type Quad,
  type Side,
  steepness,
  stretched,
} from './quad.ts'
import { type Size, scaleTo, times } from './scaled.ts'

export interface Warp {
  /** Maps from a point of the result to a point of the image, both in pixels from the top left corner. */
  toSource: Homography
  /** The convex part of the result that shows the image. The rest is transparent. */
  shown: Quad
  width: number
  height: number
}

/**
 * Opaque, with 3 channels, if the image is opaque and `shown` covers the result. The caller has checked the sizes.
 */
export async function warpQuad(image: ImageValue, warp: Warp, context: ImageContext): Promise<Pixels> {
  const size = usefulSize(image, warp)
  const source = await scaleTo(image, size, context)
  const toSource = stretched(warp.toSource, size.width / image.width, size.height / image.height)
  return resampled(source, { ...warp, toSource }, context)
}

/**
 * If every part is reduced a lot, the image is scaled down first, without loss of detail. Drawings are rendered at
 * the size that is needed.
 */
function usefulSize(image: ImageValue, { toSource, shown, width, height }: Warp): Size {
  const steps = shown.map((point) => steepness(toSource, point))
  const [x, y] = [Math.min(...steps.map((step) => step.x)), Math.min(...steps.map((step) => step.y))]
  if (isDrawing(image.format)) {
    const scale = Math.min(Math.max(1 / x, 1 / y), Math.max(1, width / image.width, height / image.height))
    return times(image, scale)
  }
  return {
    width: x > shrinkFrom ? Math.ceil(image.width / x) : image.width,
    height: y > shrinkFrom ? Math.ceil(image.height / y) : image.height,
  }
}

const shrinkFrom = 1.5

async function resampled(source: Pixels, warp: Warp, { signal }: ImageContext): Promise<Pixels> {
  const { width, height } = warp
  const sides = insides(warp.shown)
  const channels = source.channels === 3 && coversAll(sides, warp) ? 3 : 4
  const result: Pixels = { data: Buffer.alloc(width * height * channels), width, height, channels }
  const pauseIfDue = createPauses()
  for (let row = 0; row < height; row += 1) {
    const [start, end] = spanOf(warp, row)
    for (let column = start; column < end; column += columnsAtOnce) {
      draw(result, source, warp.toSource, sides, row, column, Math.min(end, column + columnsAtOnce))
      await pauseIfDue()
    }
    if (signal.aborted) throw abortFault(signal)
  }
  return result
}

const columnsAtOnce = 512

/** A stretch of a row. Returns the number of samples. */
function draw(
  { data, width, channels }: Pixels,
  source: Pixels,
  [a, b, c, d, e, f, g, h, i]: Homography,
  sides: Side[],
  row: number,
  start: number,
  end: number,
): number {
  const isOpaque = source.channels === 3
  const add = isOpaque ? addOpaque : addTranslucent
  const y = row + 0.5
  const [innerStart, innerEnd] = innerSpan(sides, row)
  let samples = 0
  for (let column = start; column < end; column += 1) {
    const x = column + 0.5
    const covered = column >= innerStart && column < innerEnd ? 1 : coverage(sides, x, y)
    const w = 1 / (g * x + h * y + i)
    if (covered === 0 || !Number.isFinite(w)) continue
    const u = (a * x + b * y + c) * w
    const v = (d * x + e * y + f) * w
    // The change of the source position per pixel to the right and down.
    const ux = (a - g * u) * w
    const vx = (d - g * v) * w
    const uy = (b - h * u) * w
    const vy = (e - h * v) * w
    const across = footprint(ux * ux + vx * vx)
    const down = footprint(uy * uy + vy * vy)
    const countX = samplesOf(across, ux * ux + vx * vx)
    const countY = samplesOf(down, uy * uy + vy * vy)
    sum[0] = sum[1] = sum[2] = sum[3] = 0
    for (let n = 0; n < countY; n += 1) {
      const t = ((n + 0.5) / countY - 0.5) * down
      for (let m = 0; m < countX; m += 1) {
        const s = ((m + 0.5) / countX - 0.5) * across
        add(source, u + ux * s + uy * t - 0.5, v + vx * s + vy * t - 0.5, sum)
      }
    }
    const count = countX * countY
    samples += count
    const alpha = isOpaque ? 255 : (sum[3] as number) / count
    store(data, (row * width + column) * channels, channels, sum, isOpaque ? count : alpha * count, alpha * covered)
  }
  return samples
}

/** Red, green, blue, alpha. */
const sum = new Float64Array(4)

/** The share of a pixel step, from its square, to average over; 0 if the image is not reduced. */
function footprint(squared: number): number {
  return squared <= 1 ? 0 : Math.sqrt(1 - 1 / squared)
}

/** No further apart than pixels; a footprint much smaller than a pixel changes nothing. */
function samplesOf(share: number, squared: number): number {
  return share === 0 ? 1 : Math.min(samplesMax, Math.floor(share * Math.sqrt(squared) + 1.4))
}

/** Limit near a horizon, where pixels cover so much that details are lost anyway. */
const samplesMax = 64

/**
 * Adds a sample to the sum of red, green, blue and alpha: the surrounding 16 pixels with Catmull-Rom weights (Catmull
 * and Rom, A class of local interpolating splines, 1974). Unrolled, because this takes most of the time.
 */
type Add = (source: Pixels, u: number, v: number, sum: Float64Array) => void

const addOpaque: Add = ({ data, width, height }, u, v, sum) => {
  const left = Math.floor(u)
  const top = Math.floor(v)
  const t = u - left
  const w0 = ((-0.5 * t + 1) * t - 0.5) * t
  const w1 = (1.5 * t - 2.5) * t * t + 1
  const w3 = (0.5 * t - 0.5) * t * t
  const w2 = 1 - w0 - w1 - w3
  const x0 = within(left - 1, width) * 3
  const x1 = within(left, width) * 3
  const x2 = within(left + 1, width) * 3
  const x3 = within(left + 2, width) * 3
  let red = 0
  let green = 0
  let blue = 0
  for (let row = 0; row < 4; row += 1) {
    const line = within(top - 1 + row, height) * width * 3
    const weight = cubic(row, v - top)
    red += weight * mix(data, line, x0, x1, x2, x3, w0, w1, w2, w3)
    green += weight * mix(data, line + 1, x0, x1, x2, x3, w0, w1, w2, w3)
    blue += weight * mix(data, line + 2, x0, x1, x2, x3, w0, w1, w2, w3)
  }
  sum[0] = (sum[0] as number) + red
  sum[1] = (sum[1] as number) + green
  sum[2] = (sum[2] as number) + blue
}

/** Colours are weighted by alpha. */
const addTranslucent: Add = ({ data, width, height }, u, v, sum) => {
  const left = Math.floor(u)
  const top = Math.floor(v)
  const t = u - left
  const w0 = ((-0.5 * t + 1) * t - 0.5) * t
  const w1 = (1.5 * t - 2.5) * t * t + 1
  const w3 = (0.5 * t - 0.5) * t * t
  const w2 = 1 - w0 - w1 - w3
  const x0 = within(left - 1, width) * 4
  const x1 = within(left, width) * 4
  const x2 = within(left + 1, width) * 4
  const x3 = within(left + 2, width) * 4
  let red = 0
  let green = 0
  let blue = 0
  let alpha = 0
  for (let row = 0; row < 4; row += 1) {
    const line = within(top - 1 + row, height) * width * 4
    const weight = cubic(row, v - top)
    const a0 = weight * w0 * (data[line + x0 + 3] as number)
    const a1 = weight * w1 * (data[line + x1 + 3] as number)
    const a2 = weight * w2 * (data[line + x2 + 3] as number)
    const a3 = weight * w3 * (data[line + x3 + 3] as number)
    red += mix(data, line, x0, x1, x2, x3, a0, a1, a2, a3)
    green += mix(data, line + 1, x0, x1, x2, x3, a0, a1, a2, a3)
    blue += mix(data, line + 2, x0, x1, x2, x3, a0, a1, a2, a3)
    alpha += a0 + a1 + a2 + a3
  }
  sum[0] = (sum[0] as number) + red
  sum[1] = (sum[1] as number) + green
  sum[2] = (sum[2] as number) + blue
  sum[3] = (sum[3] as number) + alpha
}

function cubic(row: number, t: number): number {
  if (row === 0) return ((-0.5 * t + 1) * t - 0.5) * t
  if (row === 1) return (1.5 * t - 2.5) * t * t + 1
  if (row === 2) return ((-1.5 * t + 2) * t + 0.5) * t
  return (0.5 * t - 0.5) * t * t
}

function mix(
  data: Uint8Array,
  line: number,
  x0: number,
  x1: number,
  x2: number,
  x3: number,
  w0: number,
  w1: number,
  w2: number,
  w3: number,
): number {
  return (
    w0 * (data[line + x0] as number) +
    w1 * (data[line + x1] as number) +
    w2 * (data[line + x2] as number) +
    w3 * (data[line + x3] as number)
  )
}

/** Edge pixels continue beyond the image; `coverage` returns the covered share of a pixel. */
function within(at: number, size: number): number {
  return at < 0 ? 0 : at >= size ? size - 1 : at
}

function store(data: Buffer, at: number, channels: 3 | 4, sum: Float64Array, weight: number, alpha: number): void {
  if (alpha <= 0) return
  data[at] = toByte((sum[0] as number) / weight)
  data[at + 1] = toByte((sum[1] as number) / weight)
  data[at + 2] = toByte((sum[2] as number) / weight)
  if (channels === 4) data[at + 3] = toByte(alpha)
}

/** Cubic interpolation overshoots at hard edges. */
function toByte(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : value + 0.5
}

/** The columns of a row that can show the image. */
function spanOf({ shown, width }: Warp, row: number): [number, number] {
  const band = clipped(clipped([...shown], { a: 0, b: 1, c: -row }), { a: 0, b: -1, c: row + 1 })
  if (band.length === 0) return [0, 0]
  const xs = band.map(({ x }) => x)
  return [Math.max(0, Math.floor(Math.min(...xs))), Math.min(width, Math.ceil(Math.max(...xs)))]
}

/** The columns whose pixels lie entirely inside: at both the top and the bottom edge of the pixel. */
function innerSpan(sides: Side[], row: number): [number, number] {
  let [left, right] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const { a, b, c } of sides) {
    const least = Math.min(b * row, b * (row + 1)) + c
    if (a > 0) left = Math.max(left, -least / a)
    else if (a < 0) right = Math.min(right, -least / a)
    else if (least < 0) return [0, 0]
  }
  return [Math.ceil(left - nothing), Math.floor(right + nothing)]
}

/** The exact share of the pixel around a point that lies inside. */
function coverage(sides: Side[], x: number, y: number): number {
  let isInside = true
  for (const { a, b, c } of sides) {
    const distance = a * x + b * y + c
    const reach = (Math.abs(a) + Math.abs(b)) / 2 - nothing
    if (distance <= -reach) return 0
    if (distance < reach) isInside = false
  }
  return isInside ? 1 : areaOf(sides.reduce(clipped, squareAround(x, y)))
}

/** A share of a pixel: smaller than a byte can show, and larger than rounding errors. */
const nothing = 1e-6

function squareAround(x: number, y: number): Point[] {
  const [left, right, top, bottom] = [x - 0.5, x + 0.5, y - 0.5, y + 0.5]
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ]
}

function coversAll(sides: Side[], { width, height }: Size): boolean {
  const corners = [0, width].flatMap((x) => [0, height].map((y) => ({ x, y })))
  return corners.every(({ x, y }) => sides.every(({ a, b, c }) => a * x + b * y + c >= -nothing))
}
