import Type from 'typebox'
import { imageFromPixels, pixelsOf, sharpOf, toPixels } from '../../imaging/raster/image.ts'
import { blendOnto } from '../../imaging/raster/layer/overlay.ts'
import { enqueueStage } from '../../imaging/raster/pipeline.ts'
import type { Sharp } from '../../imaging/raster/sharp.ts'
import { stages } from '../../imaging/raster/stages.ts'
import type { Pixels } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'

const strength = { minimum: 0, maximum: 10, 'x-advanced': true }

export const sharpen = defineOperation({
  id: 'sharpen',
  version: 1,
  title: 'Sharpen',
  summary: 'Sharpens edges.',
  keywords: ['crisp', 'clarity', 'detail', 'unsharp mask', 'focus'],
  group: 'filter',
  inputs: { image: socket.one('The image to sharpen.') },
  params: Type.Object(
    {
      sigma: Type.Optional(
        Type.Number({
          minimum: 0.3,
          maximum: 10,
          title: 'Sigma',
          description:
            'Standard deviation of the unsharp mask, applied to lightness. If not set: a fast, mild sharpening, about four times as fast, suitable after downscaling.',
          'x-unit': 'px',
        }),
      ),
      flat: Type.Optional(
        Type.Number({ ...strength, title: 'Flat areas', description: 'Strength in flat areas. Default: 1.' }),
      ),
      edges: Type.Optional(
        Type.Number({ ...strength, title: 'Edges', description: 'Strength in detailed areas. Default: 2.' }),
      ),
    },
    { additionalProperties: false, dependentRequired: { flat: ['sigma'], edges: ['sigma'] } },
  ),
  outputs: { image: 'The sharpened image.' },
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'quick', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'strong', inputs: { image: 'coffee.jpg' }, params: { sigma: 1.5, flat: 1, edges: 4 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { sigma: 1 } },
  ],

  stage: ({ sigma }) => (sigma === undefined ? stages.sharpen : undefined),

  async run({ image }, { sigma, flat = 1, edges = 2 }, context) {
    if (sigma === undefined) {
      const { width, height, hasAlpha } = image
      const work = { stage: stages.sharpen, width, height, hasAlpha, apply: (source: Sharp) => source.sharpen() }
      return { image: await enqueueStage(image, work, context) }
    }
    const pixels = await pixelsOf(image, context)
    const ground = pixels.channels === 4 ? await onItsOwnColors(pixels, sigma, context) : pixels
    const source = await sharpOf(ground)
    const crisp = await toPixels(context, source.sharpen({ sigma, m1: flat, m2: edges }))
    const mask = { x: 0, y: 0, blend: 'dest-in' } as const
    return { image: imageFromPixels(pixels.channels === 4 ? await blendOnto(crisp, pixels, mask, context) : crisp) }
  },
})

/**
 * An opaque image in which colours extend into transparent areas. Only lightness is sharpened, not alpha: soft edges
 * would become dark or bright next to transparent pixels.
 */
async function onItsOwnColors(pixels: Pixels, sigma: number, context: OperationContext): Promise<Pixels> {
  const source = await sharpOf(pixels)
  const colors = await toPixels(context, source.blur(2 * sigma).removeAlpha())
  return blendOnto(colors, pixels, { x: 0, y: 0 }, context)
}
