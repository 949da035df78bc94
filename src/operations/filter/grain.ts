import Type from 'typebox'
import { copyPixels } from '../../imaging/raster/copy.ts'
import { normalOf, randomOf } from '../../imaging/raster/draw/random.ts'
import { blurredRows, lineBlur, type Rows, reachOf } from '../../imaging/raster/effect/box-blur.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { eachRow } from '../../imaging/raster/rows.ts'
import { lumaAt } from '../../imaging/raster/tone/table.ts'
import type { Pixels } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { seed } from '../shared/params.ts'

export const grain = defineOperation({
  id: 'grain',
  version: 1,
  title: 'Grain',
  summary: 'Adds film grain, strongest in the mid-tones.',
  keywords: ['film', 'noise', 'texture', 'analog', 'vintage', 'retro'],
  group: 'filter',
  inputs: { image: socket.one('The image to add grain to.') },
  params: Type.Object(
    {
      amount: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.15,
        title: 'Amount',
        description: 'Strength: at 1, the standard deviation in the mid-tones is a quarter of the full range.',
      }),
      size: Type.Number({
        minimum: 1,
        maximum: 20,
        default: 1.5,
        title: 'Size',
        description: 'Size of a grain; at 1, every pixel has its own.',
        'x-unit': 'px',
      }),
      monochrome: Type.Boolean({
        default: true,
        title: 'Monochrome',
        description: 'Use the same grain for all channels. If false, the grain is coloured, like sensor noise.',
      }),
      seed: seed('Seed of the random pattern. The same seed always gives the same grain.'),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image with grain. Black, white and alpha do not change.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'fine', inputs: { image: 'coffee.jpg' }, params: { amount: 0.2 } },
    { name: 'coarse', inputs: { image: 'cat.jpg' }, params: { amount: 0.2, size: 3 } },
    { name: 'coloured', inputs: { image: 'coffee.jpg' }, params: { amount: 0.2, monochrome: false, seed: 7 } },
  ],

  async run({ image }, { amount, size, monochrome, seed }, context) {
    const pixels = await pixelsOf(image, context)
    const grains = Array.from({ length: monochrome ? 1 : 3 }, (_, at) => grainRows(pixels, size, seed + at * 0x10000))
    return { image: imageFromPixels(await roughened(pixels, grains, amount, context)) }
  },
})

const deviationMax = 64

async function roughened(pixels: Pixels, grains: Rows[], amount: number, context: OperationContext): Promise<Pixels> {
  const { data: from, width, channels } = pixels
  const data = await copyPixels(pixels, context)
  // Values beyond 0 and 255 are clipped, not wrapped.
  const to = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length)
  const strengths = Float32Array.from({ length: 256 }, (_, luma) => amount * deviationMax * midtone(luma / 255))
  const lines = grains.map(() => new Float32Array(width))
  const [red, green, blue] = [0, 1, 2].map((channel) => lines[channel % lines.length]) as Triple
  await eachRow({ ...pixels, width: width * grains.length * costly }, context, (y) => {
    for (const [at, rows] of grains.entries()) rows(lines[at] as Float32Array)
    for (let x = 0, at = y * width * channels; x < width; x += 1, at += channels) {
      const strength = strengths[lumaAt(from, at)] as number
      to[at] = (from[at] as number) + (red[x] as number) * strength
      to[at + 1] = (from[at + 1] as number) + (green[x] as number) * strength
      to[at + 2] = (from[at + 2] as number) + (blue[x] as number) * strength
    }
  })
  return { ...pixels, data }
}

type Triple = [Float32Array, Float32Array, Float32Array]

/** The cost of a pixel, relative to a copied one. */
const costly = 4

/** Film has grain where it is partly exposed: none in black or white, most in the mid-tones. */
function midtone(luma: number): number {
  return 4 * luma * (1 - luma)
}

/** Rows of normal noise with standard deviation 1 at any size: white noise, blurred and amplified again. */
function grainRows({ width }: Pixels, size: number, seed: number): Rows {
  const random = randomOf(seed)
  const white: Rows = (into) => {
    for (let x = 0; x < into.length; x += 1) into[x] = normalOf(random)
  }
  // A grain looks about twice as wide as the standard deviation of its blur.
  const sigma = (size - 1) / 2
  if (sigma === 0) return white
  const reach = reachOf(sigma)
  // The blur fades at its borders, so they are cropped.
  const line = new Float32Array(width + 2 * reach)
  const rows = blurredRows(white, line.length, sigma)
  for (let skipped = 0; skipped < reach; skipped += 1) rows(line)
  const strength = 1 / energyOf(sigma)
  return (into) => {
    rows(line)
    for (let x = 0; x < width; x += 1) into[x] = (line[x + reach] as number) * strength
  }
}

/**
 * The standard deviation of white noise after the blur in both directions: the sum of the squared weights of one
 * line.
 */
function energyOf(sigma: number): number {
  const line = new Float32Array(2 * reachOf(sigma) + 1)
  line[reachOf(sigma)] = 1
  lineBlur(line.length, sigma)(line)
  return line.reduce((sum, weight) => sum + weight * weight, 0)
}
