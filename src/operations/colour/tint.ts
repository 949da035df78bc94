import Type from 'typebox'
import { parseColor } from '../../imaging/raster/color.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { applyColorTable, mixed, tinted } from '../../imaging/raster/tone/table.ts'
import { defineOperation, socket } from '../define.ts'
import { color } from '../shared/params.ts'

export const tint = defineOperation({
  id: 'tint',
  version: 1,
  title: 'Tint',
  summary: 'Gives the entire image the hue of one colour without changing brightness.',
  keywords: ['colorize', 'color', 'sepia', 'hue', 'tone'],
  group: 'colour',
  inputs: { image: socket.one('The image to tint.') },
  params: Type.Object(
    {
      color: color({
        default: '#704214',
        title: 'Colour',
        description:
          'Tint colour: only its hue and saturation count, not its brightness. A translucent colour tints less.',
      }),
      amount: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        title: 'Amount',
        description: 'Strength: 0 is unchanged, 1 leaves no other hue.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The tinted image; black, white and transparency do not change.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'sepia', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'blue', inputs: { image: 'coffee.jpg' }, params: { color: '#228be6' } },
    { name: 'in part', inputs: { image: 'coffee.jpg' }, params: { color: '#e64980', amount: 0.4 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { color: '#12b886' } },
  ],

  async run({ image }, { color: text, amount }, context) {
    const pixels = await pixelsOf(image, context)
    const { alpha, ...hue } = parseColor(text)
    const tintedPixels = await applyColorTable(pixels, tinted({ ...hue, alpha: 1 }), context)
    return { image: imageFromPixels(await mixed(pixels, tintedPixels, amount * alpha, context)) }
  },
})
