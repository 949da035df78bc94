/**
 * Salience: the difference of each pixel of a small copy from its surroundings. Objects are found as areas that no path
 * of similar colours connects with the edge of the image: the minimum barrier distance of Zhang et al., Minimum Barrier
 * Salient Object Detection at 80 FPS, 2015. Contrast is added, for objects that touch the edge.
 */
import type { ImageValue, Pixels } from '../../types.ts'
import type { ImageContext } from '../image.ts'
import { toLab } from '../tone/oklab.ts'
import { thumbnailOf } from './thumbnail.ts'

/** Values from 0, in row order. */
export interface Salience {
  values: Float32Array
  width: number
  height: number
}

/** Longer side of the small copy. */
const side = 128

export async function salienceOf(image: ImageValue, context: ImageContext): Promise<Salience> {
  const pixels = await thumbnailOf(image, { width: side, height: side, fit: 'inside' }, context)
  const { width, height } = pixels
  const channels = channelsOf(pixels)
  const objects = new Float32Array(width * height)
  for (const channel of channels) {
    const distances = barrierDistances(soften(channel, width, height, 1), width, height)
    for (let at = 0; at < objects.length; at += 1) objects[at] = (objects[at] as number) + (distances[at] as number)
  }
  const contrast = normalize(soften(contrastOf(channels[0] as Float32Array, width, height), width, height, 2))
  const values = normalize(objects)
  for (let at = 0; at < values.length; at += 1) {
    values[at] = (values[at] as number) + contrastWeight * (contrast[at] as number)
  }
  return { values, width, height }
}

const contrastWeight = 0.3

/** Colour differences count as much as in CIELAB. */
const chromaWeight = 3

/** Lightness, two of colour, and opacity if there is any. Transparent pixels are grey. */
function channelsOf({ data, width, height, channels: count }: Pixels): Float32Array[] {
  const planes = Array.from({ length: count === 4 ? 4 : 3 }, () => new Float32Array(width * height))
  const [light, greenRed, blueYellow, opacity] = planes as [Float32Array, Float32Array, Float32Array, Float32Array?]
  for (let pixel = 0, at = 0; pixel < light.length; pixel += 1, at += count) {
    const alpha = opacity ? (data[at + 3] as number) / 255 : 1
    const over = (channel: number) => alpha * (data[at + channel] as number) + (1 - alpha) * 128
    const { l, a, b } = toLab(over(0), over(1), over(2))
    light[pixel] = l
    greenRed[pixel] = chromaWeight * a
    blueYellow[pixel] = chromaWeight * b
    if (opacity) opacity[pixel] = alpha
  }
  return planes
}

/**
 * The barrier of a path is the difference of its highest and lowest value. Returns the lowest barrier of the paths to
 * the edge, approximated by sweeps in alternating directions.
 */
function barrierDistances(values: Float32Array, width: number, height: number): Float32Array {
  const distances = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY)
  const [high, low] = [values.slice(), values.slice()]
  for (let x = 0; x < width; x += 1) distances[x] = distances[(height - 1) * width + x] = 0
  for (let y = 0; y < height; y += 1) distances[y * width] = distances[y * width + width - 1] = 0
  const continueFrom = (neighbour: number, at: number) => {
    const value = values[at] as number
    const highest = Math.max(high[neighbour] as number, value)
    const lowest = Math.min(low[neighbour] as number, value)
    if (highest - lowest >= (distances[at] as number)) return
    distances[at] = highest - lowest
    high[at] = highest
    low[at] = lowest
  }
  for (const forwards of [true, false, true]) {
    const step = forwards ? 1 : -1
    for (let row = 1; row < height - 1; row += 1) {
      const y = forwards ? row : height - 1 - row
      for (let column = 1; column < width - 1; column += 1) {
        const at = y * width + (forwards ? column : width - 1 - column)
        continueFrom(at - step, at)
        continueFrom(at - step * width, at)
      }
    }
  }
  return distances
}

/** Contrast above this counts as the same: one hard line must not outweigh a textured object. */
const contrastMax = 0.3

function contrastOf(light: Float32Array, width: number, height: number): Float32Array {
  const contrast = new Float32Array(width * height)
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x
      const across = Math.abs((light[at + 1] as number) - (light[at - 1] as number))
      const down = Math.abs((light[at + width] as number) - (light[at - width] as number))
      contrast[at] = Math.min(contrastMax, across + down)
    }
  }
  return contrast
}

/** Three box blurs: about a Gaussian blur. Edge pixels are repeated. */
function soften(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  let softened = values
  for (let pass = 0; pass < 3; pass += 1) {
    softened = boxBlur(boxBlur(softened, width, height, 1, radius), height, width, width, radius)
  }
  return softened
}

/** Blurs along lines of `length` values that are `step` apart. */
function boxBlur(values: Float32Array, length: number, lines: number, step: number, radius: number): Float32Array {
  const blurred = new Float32Array(values.length)
  const between = step === 1 ? length : 1
  for (let line = 0; line < lines; line += 1) {
    for (let place = 0; place < length; place += 1) {
      let sum = 0
      for (let offset = -radius; offset <= radius; offset += 1) {
        const clamped = Math.max(0, Math.min(length - 1, place + offset))
        sum += values[line * between + clamped * step] as number
      }
      blurred[line * between + place * step] = sum / (2 * radius + 1)
    }
  }
  return blurred
}

/** Scales the values so that the highest is 1. Values of a flat image are 0. */
function normalize(values: Float32Array): Float32Array {
  const highest = values.reduce((most, value) => Math.max(most, value), 0)
  return highest < 1e-6 ? new Float32Array(values.length) : values.map((value) => value / highest)
}
