import Type from 'typebox'
import { parseColor } from '../../imaging/raster/color.ts'
import { decideOnce } from '../../imaging/raster/decide-once.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { lumaHistogram } from '../../imaging/raster/tone/luma.ts'
import { otsuThreshold } from '../../imaging/raster/tone/otsu.ts'
import { applyRamp } from '../../imaging/raster/tone/ramp.ts'
import { defineOperation, socket } from '../define.ts'
import { color } from '../shared/params.ts'

export const threshold = defineOperation({
  id: 'threshold',
  version: 1,
  title: 'Threshold',
  summary: 'Converts the image to black and white at a brightness threshold.',
  keywords: ['black and white', 'binary', 'bitmap', 'stencil', 'one bit'],
  group: 'colour',
  inputs: { image: socket.one('The image to convert.') },
  params: Type.Object(
    {
      at: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 255,
          title: 'At',
          description: 'Lowest luma that counts as bright. Default: 128. Cannot be combined with `otsu`.',
        }),
      ),
      otsu: Type.Optional(
        Type.Boolean({
          title: 'Automatic',
          description: "Choose the threshold automatically by Otsu's method.",
        }),
      ),
      below: color({
        default: 'black',
        title: 'Below',
        description: 'Colour of darker pixels. If it is translucent, the image shows through.',
      }),
      above: color({ default: 'white', title: 'Above', description: 'Colour of pixels at or above the threshold.' }),
    },
    { additionalProperties: false, not: { required: ['at', 'otsu'] } },
  ),
  outputs: { image: 'The image in two colours without mixed tones; transparency does not change.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'at the middle', inputs: { image: 'cat.jpg' }, params: {} },
    { name: 'automatic', inputs: { image: 'coffee.jpg' }, params: { otsu: true } },
    { name: 'in colours', inputs: { image: 'cat.jpg' }, params: { otsu: true, below: '#1d3557', above: '#f1faee' } },
    {
      name: 'dark parts over the image',
      inputs: { image: 'coffee.jpg' },
      params: { at: 60, below: '#10002b', above: 'transparent' },
    },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { otsu: true } },
  ],

  async run({ image }, { at = 128, otsu, below, above }, context) {
    const pixels = await pixelsOf(image, context)
    const from = otsu
      ? await decideOnce(context, 'level', async () => otsuThreshold(await lumaHistogram(pixels, context)))
      : at
    const [dark, bright] = [parseColor(below), parseColor(above)]
    const colors = Array.from({ length: 256 }, (_, luma) => (luma < from ? dark : bright))
    return { image: imageFromPixels(await applyRamp(pixels, colors, 1, context)) }
  },
})
