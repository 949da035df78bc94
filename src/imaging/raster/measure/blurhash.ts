/**
 * BlurHash, as specified in https://github.com/woltapp/blurhash/blob/master/Algorithm.md. The package of that name is
 * not used: it scales by the largest positive wave and clips larger negative ones, which flattens slopes, and it
 * draws each pixel separately, which takes seconds for a photograph.
 */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { fromLight, toLight } from '../tone/srgb.ts'

/** BlurHash of an opaque image; a small copy gives the same hash as a large one. 1 to 9 components across and down. */
export function encodeBlurhash(pixels: Pixels, across: number, down: number): string {
  const waves = Array.from({ length: across * down }, (_, at) => waveOf(pixels, at % across, Math.floor(at / across)))
  const [mean = [0, 0, 0], ...rest] = waves
  const greatest = Math.max(0, ...rest.flat().map(Math.abs))
  const step = Math.max(0, Math.min(82, Math.floor(greatest * 166 - 0.5)))
  const scale = (step + 1) / 166
  return [
    inBase83(across - 1 + (down - 1) * 9, 1),
    inBase83(rest.length > 0 ? step : 0, 1),
    inBase83(
      mean.reduce((sum, light) => sum * 256 + toSrgb(light), 0),
      4,
    ),
    ...rest.map((wave) =>
      inBase83(
        wave.reduce((sum, value) => sum * 19 + quantised(value / scale), 0),
        2,
      ),
    ),
  ].join('')
}

/** Draws a hash at any size. */
export async function drawBlurhash(
  hash: string,
  { width, height }: { width: number; height: number },
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { across, waves } = wavesIn(hash)
  // In pixel order, so that the loop below reads sequentially.
  const cosines = Float64Array.from({ length: width * across }, (_, at) =>
    Math.cos((Math.PI * (at % across) * (Math.floor(at / across) + 0.5)) / width),
  )
  const data = Buffer.allocUnsafe(width * height * 3)
  await eachRow({ width, height }, context, (y) => {
    const lights = Array.from({ length: across }, (_, i) => lightAt(waves, across, i, (y + 0.5) / height))
    drawRow(data, y * width * 3, cosines, Float64Array.from(lights.flat()))
  })
  return { data, width, height, channels: 3 }
}

function drawRow(data: Buffer, start: number, cosines: Float64Array, lights: Float64Array): void {
  for (let from = 0, to = start; from < cosines.length; to += 3) {
    let r = 0
    let g = 0
    let b = 0
    for (let at = 0; at < lights.length; at += 3, from += 1) {
      const share = cosines[from] as number
      r += share * (lights[at] as number)
      g += share * (lights[at + 1] as number)
      b += share * (lights[at + 2] as number)
    }
    data[to] = srgbOf(r)
    data[to + 1] = srgbOf(g)
    data[to + 2] = srgbOf(b)
  }
}

/** The common factor of all waves with `i` periods across in one row. */
function lightAt(waves: number[][], across: number, i: number, place: number): [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0]
  for (let at = i, j = 0; at < waves.length; at += across, j += 1) {
    const share = Math.cos(Math.PI * j * place)
    const [r = 0, g = 0, b = 0] = waves[at] ?? []
    sums[0] += share * r
    sums[1] += share * g
    sums[2] += share * b
  }
  return sums
}

function wavesIn(hash: string): { across: number; waves: number[][] } {
  const [size, step, mean] = [fromBase83(hash.slice(0, 1)), fromBase83(hash.slice(1, 2)), fromBase83(hash.slice(2, 6))]
  const scale = (step + 1) / 166
  const rest = Array.from({ length: (hash.length - 6) / 2 }, (_, at) => {
    const value = fromBase83(hash.slice(6 + at * 2, 8 + at * 2))
    return [Math.floor(value / 361), Math.floor(value / 19) % 19, value % 19].map((level) => {
      const root = (level - 9) / 9
      return Math.sign(root) * root * root * scale
    })
  })
  const first = [mean >> 16, (mean >> 8) & 255, mean & 255].map((byte) => light[byte] as number)
  return { across: (size % 9) + 1, waves: [first, ...rest] }
}

/** The amplitude of one cosine wave in the linear light of each channel. */
function waveOf({ data, width, height, channels }: Pixels, i: number, j: number): [number, number, number] {
  // Sampled at pixel centres, which makes the waves orthogonal.
  const across = Array.from({ length: width }, (_, x) => Math.cos((Math.PI * i * (x + 0.5)) / width))
  const down = Array.from({ length: height }, (_, y) => Math.cos((Math.PI * j * (y + 0.5)) / height))
  const sums: [number, number, number] = [0, 0, 0]
  for (const [y, byRow] of down.entries()) {
    for (const [x, byColumn] of across.entries()) {
      const at = (y * width + x) * channels
      const share = byRow * byColumn
      sums[0] += share * (light[data[at] as number] as number)
      sums[1] += share * (light[data[at + 1] as number] as number)
      sums[2] += share * (light[data[at + 2] as number] as number)
    }
  }
  const norm = (i === 0 && j === 0 ? 1 : 2) / (width * height)
  return [sums[0] * norm, sums[1] * norm, sums[2] * norm]
}

const light = Float64Array.from({ length: 256 }, (_, byte) => toLight(byte / 255))

/** A look-up table for every pixel: its steps of light are finer than bytes, even in the darkest tones. */
const srgb = Uint8Array.from({ length: 16_385 }, (_, step) => toSrgb(step / 16_384))

function srgbOf(value: number): number {
  return srgb[value <= 0 ? 0 : value >= 1 ? 16_384 : (value * 16_384 + 0.5) | 0] as number
}

function toSrgb(value: number): number {
  return Math.round(fromLight(Math.max(0, Math.min(1, value))) * 255)
}

/** -1 to 1 in 19 steps, finer around 0. */
function quantised(value: number): number {
  const root = Math.sign(value) * Math.sqrt(Math.abs(value))
  return Math.max(0, Math.min(18, Math.floor(root * 9 + 9.5)))
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'

function inBase83(value: number, length: number): string {
  return Array.from({ length }, (_, at) => digits[Math.floor(value / 83 ** (length - 1 - at)) % 83]).join('')
}

function fromBase83(text: string): number {
  return [...text].reduce((sum, digit) => sum * 83 + digits.indexOf(digit), 0)
}
