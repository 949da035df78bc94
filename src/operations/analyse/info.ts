import Type from 'typebox'
import { pixelsOf } from '../../imaging/raster/image.ts'
import { rounded } from '../../imaging/raster/measure/rounded.ts'
import { statisticsOf } from '../../imaging/raster/measure/statistics.ts'
import { defineOperation, socket } from '../define.ts'

export const info = defineOperation({
  id: 'info',
  version: 1,
  title: 'Info',
  summary: 'Returns properties of the image as values for templates. The image does not change.',
  keywords: ['metadata', 'size', 'width', 'height', 'dimensions', 'aspect ratio', 'properties'],
  group: 'analyse',
  inputs: { image: socket.one('The image to inspect. For animations, colours are measured on the first frame.') },
  params: Type.Object({}, { additionalProperties: false }),
  outputs: {
    image: 'The image, unchanged.',
    values: {
      aspectRatio: Type.Number({ description: 'Width divided by height.' }),
      orientation: Type.Enum(['landscape', 'portrait', 'square'], { description: 'Orientation of the image.' }),
      megapixels: Type.Number({ description: 'Millions of pixels.' }),
      hasAlpha: Type.Boolean({ description: 'Whether the image has an alpha channel, even if every pixel is opaque.' }),
      opacity: Type.Number({ description: 'Mean alpha: 0 is transparent, 1 is opaque.' }),
      brightness: Type.Number({
        description:
          'Mean luma (Rec. 709), weighted by alpha: 0 is black, 1 is white. Below 0.5, white text is easier to read.',
      }),
      contrast: Type.Number({ description: 'Standard deviation of luma: 0 for a single colour, at most 0.5.' }),
      color: Type.String({ description: 'Mean colour, weighted by alpha, as #rrggbb.' }),
      frames: Type.Integer({ description: 'Number of frames; 1 for a still image.' }),
      duration: Type.Integer({ description: 'Duration of the animation in milliseconds; 0 for a still image.' }),
      loop: Type.Integer({
        description: 'Number of times that the animation plays, 0 for endlessly; 1 for a still image.',
      }),
    },
  },
  alpha: 'kept',
  frames: 'whole',
  deterministic: true,
  examples: [
    { name: 'a photograph', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: {} },
    { name: 'an animation', inputs: { image: 'star.png' }, params: {} },
  ],

  async run({ image }, _, context) {
    const { width, height, animation } = image
    const pixels = await pixelsOf(image, context)
    const { mean, brightness, contrast, opacity } = await statisticsOf(pixels, context)
    return {
      image,
      aspectRatio: rounded(width / height),
      orientation: orientationOf(width, height),
      megapixels: rounded((width * height) / 1_000_000),
      hasAlpha: pixels.channels === 4,
      opacity: rounded(opacity),
      brightness: rounded(brightness),
      contrast: rounded(contrast),
      color: `#${mean.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`,
      frames: animation?.delaysMs.length ?? 1,
      duration: animation?.delaysMs.reduce((sum, delay) => sum + delay, 0) ?? 0,
      loop: animation?.loops ?? 1,
    }
  },
})

function orientationOf(width: number, height: number): 'landscape' | 'portrait' | 'square' {
  if (width === height) return 'square'
  return width > height ? 'landscape' : 'portrait'
}
