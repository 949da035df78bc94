import Type from 'typebox'
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type OperationContext, type Pixels, socket } from '../define.ts'
import { nameOf } from '../models/define-model.ts'
import { esrganMedium, esrganSlim } from '../models/esrgan.ts'
import { realesrgan } from '../models/realesrgan.ts'
import { type Enlarger, enlarge } from '../models/tiles.ts'
import { pictureFrom, pixelsOf, sharpOf, toPixels } from '../raster/picture.ts'
import { eachRow } from '../raster/rows.ts'
import { checkSize } from '../raster/size.ts'

/** How each model is asked for twice and for four times the size. */
const ways: Record<string, Enlarger> = {
  [esrganSlim.name]: { model: esrganSlim, graph: 'x2', factor: 2, margin: 8 },
  [esrganMedium.name]: { model: esrganMedium, graph: 'x2', factor: 2, margin: 8 },
  [realesrgan.name]: { model: realesrgan, graph: 'x4', factor: 4, margin: 16 },
}

export const upscale = defineOperation({
  id: 'upscale',
  version: 1,
  title: 'Upscale',
  summary: 'Enlarges by a model that knows what pictures look like: edges stay crisp.',
  group: 'filter',
  inputs: { image: socket.one('The image to enlarge.') },
  params: Type.Object(
    {
      scale: Type.Integer({
        minimum: 2,
        maximum: 4,
        multipleOf: 2,
        default: 2,
        title: 'Scale',
        description: 'How many times as wide and as high it becomes: 2 or 4.',
      }),
      model: Type.Enum(Object.keys(ways), {
        default: esrganSlim.name,
        title: 'Model',
        description: 'The local model: docs/guide/local-models.md tells what each is like.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The larger image. Colour comes from the model, transparency from an ordinary resize (Lanczos).',
  },
  alpha: 'moved',
  frames: 'first',
  deterministic: true,
  reads: {
    models: ({ model }) => Object.values(ways).flatMap((way) => (way.model.name === model ? nameOf(way.model) : [])),
  },
  examples: [
    { name: 'twice the size', inputs: { image: 'cat.jpg' }, params: {}, requires: 'esrgan-slim' },
    {
      name: 'four times, with soft edges',
      inputs: { image: 'badge.png' },
      params: { scale: 4 },
      requires: 'esrgan-slim',
    },
    {
      name: 'a slower model',
      inputs: { image: 'coffee.jpg' },
      params: { model: 'esrgan-medium' },
      requires: 'esrgan-medium',
    },
  ],

  async run({ image }, { scale, model }, context) {
    const way = ways[model]
    if (way === undefined) throw new Error(`no way to ${model}`)
    const [width, height] = [image.width * scale, image.height * scale]
    checkSize(width, height, context.pixelsMax)
    // A model that knows only four times makes that also where half of it is wanted.
    const made = Math.max(scale, way.factor)
    checkUpscaled(image.width * made, image.height * made)
    const source = await pixelsOf(image, context)
    let colors = source.channels === 4 ? await bled(source, context) : source
    while (colors.width < width) colors = await enlarge(colors, way, context)
    if (colors.width > width) colors = await toPixels(context, (await sharpOf(colors)).resize(width, height))
    return { image: pictureFrom(source.channels === 4 ? await withAlphaOf(source, colors, context) : colors) }
  },
})

/** Refuses what would take minutes. */
export function checkUpscaled(width: number, height: number): void {
  if (width * height <= limits.upscalePixelsMax) return
  throw failure(
    'limit_exceeded',
    `The model would make ${width} x ${height} = ${width * height} pixels; upscale makes at most ${limits.upscalePixelsMax}.`,
  )
}

/**
 * What can be seen of the colours, led on into what cannot: where nothing is to be seen, colour is anything, most often
 * black, and a model would mix it into the edges.
 */
async function bled(pixels: Pixels, context: OperationContext): Promise<Pixels> {
  // sharp blurs premultiplied and divides again: colours spread, weighted by how much of them is seen.
  const { data: around } = await toPixels(context, (await sharpOf(pixels)).blur(4))
  const { data: from, width, height } = pixels
  const data = Buffer.allocUnsafe(width * height * 3)
  // Each pixel is worth some three of ordinary work.
  await eachRow({ width: width * 3, height }, context, (y) => {
    for (let at = y * width * 4, to = y * width * 3; to < (y + 1) * width * 3; at += 4, to += 3) {
      const seen = (from[at + 3] as number) / 255
      for (let channel = 0; channel < 3; channel += 1) {
        data[to + channel] = (from[at + channel] as number) * seen + (around[at + channel] as number) * (1 - seen) + 0.5
      }
    }
  })
  return { data, width, height, channels: 3 }
}

/** The alpha of another picture, at this size. */
async function withAlphaOf(source: Pixels, colors: Pixels, context: OperationContext): Promise<Pixels> {
  const { width, height } = colors
  const resized = (await sharpOf(source)).resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
  const { data } = await toPixels(context, resized)
  await eachRow(colors, context, (y) => {
    for (let to = y * width * 4, from = y * width * 3; from < (y + 1) * width * 3; to += 4, from += 3) {
      data[to] = colors.data[from] as number
      data[to + 1] = colors.data[from + 1] as number
      data[to + 2] = colors.data[from + 2] as number
    }
  })
  return { data, width, height, channels: 4 }
}
