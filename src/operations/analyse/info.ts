import Type from 'typebox'
import { pixelsOf } from '../../imaging/raster/image.ts'
import { rounded } from '../../imaging/raster/measure/rounded.ts'
import { statisticsOf } from '../../imaging/raster/measure/statistics.ts'
import { defineOperation, socket } from '../define.ts'

export const info = defineOperation({
  id: 'info',
  version: 1,
  title: 'Info',
  summary: 'Tells what the image is like, in values for templates, and hands it on as it is.',
  group: 'analyse',
  inputs: { image: socket.one('The image to look at; of an animation, colours are those of the first frame.') },
  params: Type.Object({}, { additionalProperties: false }),
  outputs: {
    image: 'The same image.',
    values: {
      aspectRatio: Type.Number({ description: 'Width divided by height.' }),
      orientation: Type.Enum(['landscape', 'portrait', 'square'], { description: 'Which side is longer.' }),
      megapixels: Type.Number({ description: 'Millions of pixels.' }),
      hasAlpha: Type.Boolean({ description: 'Whether the image has an alpha channel, used or not.' }),
      opacity: Type.Number({ description: 'Mean of alpha: 0 transparent, 1 opaque all over.' }),
      brightness: Type.Number({
        description: 'Mean luma (Rec. 709) of what is seen: 0 black, 1 white. Below 0.5, white text is read better.',
      }),
      contrast: Type.Number({ description: 'Standard deviation of luma: 0 for one colour, at most 0.5.' }),
      color: Type.String({ description: 'Mean colour of what is seen, as #rrggbb.' }),
      frames: Type.Integer({ description: 'How many frames it has; 1 for a still image.' }),
      duration: Type.Integer({ description: 'Milliseconds that the animation takes; 0 for a still image.' }),
      loop: Type.Integer({ description: 'How often the animation is shown, 0 for ever; 1 for a still image.' }),
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
