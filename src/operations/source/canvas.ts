import Type from 'typebox'
import { parseColor } from '../../imaging/raster/color.ts'
import { solidColor } from '../../imaging/raster/draw/fill.ts'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { defineOperation } from '../define.ts'
import { color, pixels } from '../shared/params.ts'

export const canvas = defineOperation({
  id: 'canvas',
  version: 1,
  title: 'Canvas',
  summary: 'Creates an image of a single colour, or a transparent one.',
  keywords: ['background', 'backdrop', 'solid color', 'fill', 'blank', 'empty', 'transparent'],
  group: 'source',
  inputs: {},
  params: Type.Object(
    {
      width: pixels({ minimum: 1, title: 'Width', description: 'Width of the image.' }),
      height: pixels({ minimum: 1, title: 'Height', description: 'Height of the image.' }),
      color: color({ default: 'white', title: 'Colour', description: 'Colour of every pixel; can be transparent.' }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image.' },
  alpha: 'made',
  frames: 'none',
  deterministic: true,
  examples: [
    { name: 'a colour', params: { width: 160, height: 90, color: '#0d6efd' } },
    { name: 'half transparent', params: { width: 160, height: 90, color: 'rgb(220 53 69 / 50%)' } },
  ],

  async run(_, { width, height, color }, context) {
    checkSize(width, height, context.pixelsMax)
    return { image: imageFromPixels(await solidColor(width, height, parseColor(color), context)) }
  },
})
