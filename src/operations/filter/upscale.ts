import Type from 'typebox'
import { failure } from '../../errors.ts'
import { imageFromPixels, pixelsOf, sharpOf, toPixels } from '../../imaging/raster/image.ts'
import { modelUpscaled } from '../../imaging/raster/read/model-image.ts'
import { eachRow } from '../../imaging/raster/rows.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { requestImage } from '../../imaging/raster/write/request-image.ts'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { esrganMedium, esrganSlim } from '../../local-models/esrgan.ts'
import { modelsForTask } from '../../local-models/manifest/manifest-models.ts'
import { realesrgan } from '../../local-models/realesrgan.ts'
import { type Enlarger, enlarge, manifestEnlarger, packagedEnlarger } from '../../local-models/tiles.ts'
import { defineOperation, type ModelUse, type OperationContext, socket } from '../define.ts'
import { callModel, localNameOf, localTask, madeByModel } from '../shared/call-model.ts'
import { modelParams, modelValue } from '../shared/model-params.ts'
import { localModelsRead } from '../shared/read-local-models.ts'

/** How each model reaches 2x and 4x; the first is the default. */
const included: readonly Enlarger[] = [
  packagedEnlarger(esrganSlim, { graph: 'x2', factor: 2, margin: 8 }),
  packagedEnlarger(esrganMedium, { graph: 'x2', factor: 2, margin: 8 }),
  packagedEnlarger(realesrgan, { graph: 'x4', factor: 4, margin: 16 }),
]

const ways = (): readonly Enlarger[] => [...included, ...modelsForTask('upscale').map(manifestEnlarger)]

const usesModel: ModelUse = { capability: 'upscale', requirements: { scale: 'scale' } }

export const upscale = defineOperation({
  id: 'upscale',
  version: 1,
  title: 'Upscale',
  summary: 'Enlarges the image with an AI model that keeps edges crisp.',
  keywords: ['scale up', 'enlarge', 'bigger', 'super resolution', 'resolution', 'enhance', 'hd'],
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
        description: 'Factor for width and height: 2 or 4.',
      }),
      ...modelParams(
        `Local models need no provider: ${included.map(({ model }) => model.name).join(', ')}, and ONNX models of the operator. See \`/guide/local-models\`. Default: the model that the service is configured with, or \`${esrganSlim.name}\`.`,
      ),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image:
      "The enlarged image. Colour comes from the model, transparency from a normal resize (Lanczos). If a provider's response has the same aspect ratio (within 2 %) and is larger, it is resampled to this size; a smaller response is rejected.",
    values: { model: modelValue },
  },
  alpha: 'moved',
  frames: 'first',
  usesModel,
  deterministic: true,
  reads: { models: (params, chain) => localModelsRead(ways(), params, chain) },
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
    {
      name: 'by a provider',
      inputs: { image: 'badge.png' },
      params: { model: 'fal/fal-ai/esrgan', fallback: ['local/esrgan-slim'] },
    },
  ],

  async run({ image }, params, context) {
    const { scale } = params
    const size = { width: image.width * scale, height: image.height * scale }
    checkSize(size.width, size.height, context.pixelsMax)
    const source = await pixelsOf(image, context)
    let visible: Promise<Pixels> | undefined
    const colors = () => {
      visible ??= source.channels === 4 ? bled(source, context) : Promise.resolve(source)
      return visible
    }
    const { result, model } = await callModel(context, {
      use: usesModel,
      params,
      images: 1,
      request: async () => ({
        scale,
        images: [await requestImage(source.channels === 4 ? imageFromPixels(await colors()) : image, context)],
      }),
      read: (response) => modelUpscaled(response, size, context),
      local: localTask(ways(), (way) => enlargedHere(image, scale, colors, way, context)),
    })
    const larger = imageFromPixels(source.channels === 4 ? await withAlphaOf(source, result, context) : result)
    // Local models only scale. Models of providers may invent details, and some follow a prompt.
    return { image: localNameOf(model) === undefined ? madeByModel(larger, model) : larger, model }
  },
})

async function enlargedHere(
  image: ImageValue,
  scale: number,
  colors: () => Promise<Pixels>,
  way: Enlarger,
  context: OperationContext,
): Promise<Pixels> {
  // A model that only supports 4x is also used for 2x, and its result is reduced.
  const factor = Math.max(scale, way.factor)
  checkUpscaled(image.width * factor, image.height * factor)
  const [width, height] = [image.width * scale, image.height * scale]
  let larger = await colors()
  while (larger.width < width) larger = await enlarge(larger, way, context)
  return larger.width > width ? toPixels(context, (await sharpOf(larger)).resize(width, height)) : larger
}

/** Throws for sizes that would take minutes. */
export function checkUpscaled(width: number, height: number): void {
  if (width * height <= limits.upscalePixelsMax) return
  throw failure(
    'limit_exceeded',
    `The model would return ${width} x ${height} = ${width * height} pixels; the maximum for upscale is ${limits.upscalePixelsMax}.`,
  )
}

/**
 * Extends visible colours into transparent areas, whose stored colour is arbitrary, usually black, and which a model
 * would mix into the edges.
 */
async function bled(pixels: Pixels, context: OperationContext): Promise<Pixels> {
  // sharp blurs premultiplied and divides again: colours spread, weighted by their alpha.
  const { data: around } = await toPixels(context, (await sharpOf(pixels)).blur(4))
  const { data: from, width, height } = pixels
  const data = Buffer.allocUnsafe(width * height * 3)
  // A pixel costs about three pixels of ordinary work.
  await eachRow({ width: width * 3, height }, context, (y) => {
    for (let at = y * width * 4, to = y * width * 3; to < (y + 1) * width * 3; at += 4, to += 3) {
      const visible = (from[at + 3] as number) / 255
      for (let channel = 0; channel < 3; channel += 1) {
        data[to + channel] =
          (from[at + channel] as number) * visible + (around[at + channel] as number) * (1 - visible) + 0.5
      }
    }
  })
  return { data, width, height, channels: 3 }
}

/** The alpha of another image, at this size. */
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
