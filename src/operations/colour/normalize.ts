import Type from 'typebox'
import { decideOnce } from '../../imaging/raster/decide-once.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { applyTones, lumaHistogram, percentile, tonesOf } from '../../imaging/raster/tone/luma.ts'
import { defineOperation, socket } from '../define.ts'

export const normalize = defineOperation({
  id: 'normalize',
  version: 1,
  title: 'Normalize',
  summary: 'Stretches the contrast to the full range from black to white.',
  keywords: ['auto contrast', 'auto levels', 'contrast', 'stretch'],
  group: 'colour',
  inputs: { image: socket.one('The image to normalize.') },
  params: Type.Object(
    {
      lower: Type.Number({
        minimum: 0,
        maximum: 49,
        default: 1,
        title: 'Lower',
        description: 'Percentile that becomes black. Transparent pixels are ignored.',
        'x-unit': '%',
      }),
      upper: Type.Number({
        minimum: 51,
        maximum: 100,
        default: 99,
        title: 'Upper',
        description: 'Percentile that becomes white.',
        'x-unit': '%',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The image with full contrast; hues do not change. An image of a single brightness does not change.',
  },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'a photograph', inputs: { image: 'cat.jpg' }, params: {} },
    { name: 'stronger', inputs: { image: 'cat.jpg' }, params: { lower: 5, upper: 92 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: {} },
  ],

  // The same line for all three channels, like ImageMagick's -contrast-stretch, but colours that leave the range keep
  // their hue.
  async run({ image }, { lower, upper }, context) {
    const pixels = await pixelsOf(image, context)
    const histogram = await decideOnce(context, 'histogram', () => lumaHistogram(pixels, context))
    const [black, white] = [percentile(histogram, lower / 100), percentile(histogram, upper / 100)]
    if (black === white) return { image }
    const slope = 255 / (white - black)
    const tones = tonesOf(
      (luma) => (luma - black / 255) * slope,
      () => slope,
    )
    return { image: imageFromPixels(await applyTones(pixels, tones, context)) }
  },
})
