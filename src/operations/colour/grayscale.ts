import Type from 'typebox'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { eachRow } from '../../imaging/raster/rows.ts'
import type { Pixels } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'

export const grayscale = defineOperation({
  id: 'grayscale',
  version: 2,
  title: 'Grayscale',
  summary: 'Converts the image to greyscale.',
  keywords: ['black and white', 'b&w', 'monochrome', 'desaturate'],
  group: 'colour',
  inputs: { image: socket.one('The image to convert.') },
  params: Type.Object({}, { additionalProperties: false }),
  outputs: { image: 'The greyscale image; transparency does not change.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'a photograph', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: {} },
  ],

  // 0.2126 red + 0.7152 green + 0.0722 blue, as in CSS grayscale(1). sharp's own greyscale would drop the alpha
  // channel.
  async run({ image }, _, context) {
    const pixels = await pixelsOf(image, context)
    return { image: imageFromPixels(await grey(pixels, context)) }
  },
})

/** Converts in integers, with 65,536 for 1: rounds to the nearest of 0 to 255, as exact as the weights are. */
async function grey(pixels: Pixels, context: OperationContext): Promise<Pixels> {
  const { data: from, width, channels } = pixels
  const data = Buffer.allocUnsafe(from.length)
  await eachRow(pixels, context, (y) => {
    const end = (y + 1) * width * channels
    for (let at = y * width * channels; at < end; at += channels) {
      const red = from[at] as number
      const green = from[at + 1] as number
      const blue = from[at + 2] as number
      const luma = (red * 13_933 + green * 46_871 + blue * 4_732 + 32_768) >> 16
      data[at] = luma
      data[at + 1] = luma
      data[at + 2] = luma
      if (channels === 4) data[at + 3] = from[at + 3] as number
    }
  })
  return { ...pixels, data }
}
