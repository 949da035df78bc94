/**
 * Encodes a BlurHash, as https://github.com/woltapp/blurhash/blob/master/Algorithm.md has it. The encoder of the package of
 * that name scales by the greatest wave with a positive sign and cuts negative ones that are greater: slopes get flat.
 */
import type { Pixels } from '../define.ts'

/** Of an opaque picture; a small one says as much as a large one. 1 to 9 waves across and down. */
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

/** How much of one cosine wave there is in the light of each channel. */
function waveOf({ data, width, height, channels }: Pixels, i: number, j: number): [number, number, number] {
  // At the middle of each pixel; so the waves have nothing of each other.
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

/** IEC 61966-2-1, both ways. */
const light = Float64Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})

function toSrgb(value: number): number {
  const light = Math.max(0, Math.min(1, value))
  return Math.round((light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055) * 255)
}

/** Of -1 to 1: 19 steps, finer around the middle. */
function quantised(value: number): number {
  const root = Math.sign(value) * Math.sqrt(Math.abs(value))
  return Math.max(0, Math.min(18, Math.floor(root * 9 + 9.5)))
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'

function inBase83(value: number, length: number): string {
  return Array.from({ length }, (_, at) => digits[Math.floor(value / 83 ** (length - 1 - at)) % 83]).join('')
}
