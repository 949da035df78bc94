import Type from 'typebox'
import { parseColor } from '../../imaging/raster/color.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { applyRamp, rampOf } from '../../imaging/raster/tone/ramp.ts'
import { defineOperation, socket } from '../define.ts'
import { color } from '../shared/params.ts'

export const duotone = defineOperation({
  id: 'duotone',
  version: 1,
  title: 'Duotone',
  summary: 'Recolours the image with two colours: one for shadows, one for highlights.',
  keywords: ['two colors', 'recolor', 'colorize', 'color'],
  group: 'colour',
  inputs: { image: socket.one('The image to recolour.') },
  params: Type.Object(
    {
      shadows: color({
        default: '#240b6c',
        title: 'Shadows',
        description: 'Colour for black. If it is translucent, the image shows through.',
      }),
      highlights: color({
        default: '#ffa8a8',
        title: 'Highlights',
        description: 'Colour for white; colours in between are mixed by luma.',
      }),
      amount: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        title: 'Amount',
        description: 'Strength: 0 is unchanged, 1 shows only the two colours.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image in two colours; transparency does not change.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'violet and rose', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'green and cream', inputs: { image: 'cat.jpg' }, params: { shadows: '#06281e', highlights: '#fff0c9' } },
    {
      name: 'in part',
      inputs: { image: 'coffee.jpg' },
      params: { shadows: '#03045e', highlights: '#ff9f1c', amount: 0.5 },
    },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { shadows: '#5f0f40', highlights: '#fb8b24' } },
  ],

  async run({ image }, { shadows, highlights, amount }, context) {
    const colors = rampOf([
      { at: 0, color: parseColor(shadows) },
      { at: 1, color: parseColor(highlights) },
    ])
    return { image: imageFromPixels(await applyRamp(await pixelsOf(image, context), colors, amount, context)) }
  },
})
