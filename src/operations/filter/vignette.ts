import Type from 'typebox'
import { type Color, parseColor } from '../../imaging/raster/color.ts'
import { copyPixels } from '../../imaging/raster/copy.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { eachRow } from '../../imaging/raster/rows.ts'
import type { Pixels } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { color } from '../shared/params.ts'

export const vignette = defineOperation({
  id: 'vignette',
  version: 1,
  title: 'Vignette',
  summary: 'Darkens or tints the image towards its corners.',
  keywords: ['dark corners', 'darken edges', 'frame'],
  group: 'filter',
  inputs: { image: socket.one('The image to add a vignette to.') },
  params: Type.Object(
    {
      amount: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.6,
        title: 'Amount',
        description: 'Strength in the corners: 0 is none, 1 shows only the colour.',
      }),
      radius: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.4,
        title: 'Radius',
        description:
          'Distance from the centre at which the vignette starts, as a share of the distance to the corners.',
      }),
      softness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.6,
        title: 'Softness',
        description: 'Share of that distance over which it reaches full strength; 0 makes a hard edge.',
      }),
      color: color({ default: 'black', title: 'Colour', description: 'Colour in the corners.' }),
      shape: Type.Enum(['ellipse', 'circle'], {
        default: 'ellipse',
        title: 'Shape',
        description: 'ellipse: follows the shape of the image; circle: equal in all directions.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image with a vignette; alpha does not change.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'dark corners', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'strong', inputs: { image: 'cat.jpg' }, params: { amount: 0.95, radius: 0.25, softness: 0.7 } },
    {
      name: 'a white frame',
      inputs: { image: 'cat.jpg' },
      params: { amount: 1, radius: 0.55, softness: 0.25, color: 'white' },
    },
    {
      name: 'a porthole',
      inputs: { image: 'coffee.jpg' },
      params: { amount: 1, radius: 0.53, softness: 0, color: '#212529', shape: 'circle' },
    },
  ],

  async run({ image }, { color, ...settings }, context) {
    const pixels = await pixelsOf(image, context)
    return { image: imageFromPixels(await vignetted(pixels, parseColor(color), settings, context)) }
  },
})

interface Fall {
  amount: number
  radius: number
  softness: number
  shape: 'ellipse' | 'circle'
}

/** Entries of the table of shares by squared distance: finer than 8 bits can show. */
const entries = 8_192

async function vignetted(
  pixels: Pixels,
  { r, g, b, alpha }: Color,
  { amount, radius, softness, shape }: Fall,
  context: OperationContext,
): Promise<Pixels> {
  const { width, height, channels } = pixels
  const { across, down } = squares(width, height, shape)
  // At least the width of a pixel, so that the edge is anti-aliased.
  const pixel = (2 * Math.SQRT2) / (width + height)
  const shares = Float32Array.from({ length: entries + 2 }, (_, at) => {
    const beyond = (Math.sqrt(at / entries) - radius) / Math.max(softness, pixel)
    return amount * alpha * smooth(beyond)
  })
  const data = await copyPixels(pixels, context)
  await eachRow(pixels, context, (y) => {
    const square = down[y] as number
    let at = y * width * channels
    for (let x = 0; x < width; x += 1, at += channels) {
      const position = (square + (across[x] as number)) * entries
      const entry = position | 0
      const low = shares[entry] as number
      const share = low + ((shares[entry + 1] as number) - low) * (position - entry)
      if (share === 0) continue
      const rest = 1 - share
      data[at] = (data[at] as number) * rest + r * share + 0.5
      data[at + 1] = (data[at + 1] as number) * rest + g * share + 0.5
      data[at + 2] = (data[at + 2] as number) * rest + b * share + 0.5
    }
  })
  return { ...pixels, data }
}

/** Squared distances of pixels from the centre; their sum is 1 at the corners. */
function squares(width: number, height: number, shape: Fall['shape']): { across: Float64Array; down: Float64Array } {
  const diagonal = width * width + height * height
  const line = (length: number) => {
    const scale = shape === 'circle' ? 1 / diagonal : 1 / (2 * length * length)
    return Float64Array.from({ length }, (_, at) => (2 * at + 1 - length) ** 2 * scale)
  }
  return { across: line(width), down: line(height) }
}

/** Rises from 0 to 1, with slope 0 at both ends. */
function smooth(share: number): number {
  const cut = Math.max(0, Math.min(1, share))
  return cut * cut * (3 - 2 * cut)
}
