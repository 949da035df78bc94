import Type from 'typebox'
import { type Color, parseColor } from '../../imaging/raster/color.ts'
import { imageFromPixels, pixelsOf, sharpOf, toPixels } from '../../imaging/raster/image.ts'
import { enqueueStage } from '../../imaging/raster/pipeline.ts'
import { gainMapTurned } from '../../imaging/raster/shape/move-gain-map.ts'
import type { Sharp } from '../../imaging/raster/sharp.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { stages } from '../../imaging/raster/stages.ts'
import type { Pixels } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { areaFrame } from '../shared/frames.ts'
import { color } from '../shared/params.ts'

export const rotate = defineOperation({
  id: 'rotate',
  version: 1,
  title: 'Rotate',
  summary: 'Rotates the image. The result grows so that nothing is cropped.',
  keywords: ['turn', 'spin', 'angle', 'tilt', 'straighten', 'orientation'],
  group: 'geometry',
  inputs: { image: socket.one('The image to rotate.') },
  params: Type.Object(
    {
      angle: Type.Number({
        minimum: -360,
        maximum: 360,
        title: 'Angle',
        description: 'Angle, clockwise. Multiples of 90 degrees are lossless.',
        'x-unit': 'deg',
      }),
      background: color({
        default: 'transparent',
        title: 'Background',
        description: 'Colour of the new corners.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The rotated image.', drawn: { image: 'The rotated image in the result.' } },
  action: 'c2pa.orientation',
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'a quarter', inputs: { image: 'coffee.jpg' }, params: { angle: 90 } },
    { name: 'a little', inputs: { image: 'coffee.jpg' }, params: { angle: -12, background: '#fff3bf' } },
    { name: 'on transparent', inputs: { image: 'coffee.jpg' }, params: { angle: 30 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { angle: 20 } },
  ],

  drawn({ angle }, { image: { width, height } }, result) {
    if (result === undefined) return []
    const place = { x: (result.width - width) / 2, y: (result.height - height) / 2, width, height }
    const binds = { rotation: { param: 'angle' } }
    return [{ ...areaFrame('image', 'box', 'result', place, binds), rotation: angle }]
  },

  stage: ({ angle }) => (angle % 90 === 0 ? stages.quarterTurn : undefined),

  async run({ image }, { angle, background }, context) {
    const quarter = angle % 90 === 0
    const size = quarter ? image : turned(image, angle)
    checkSize(size.width, size.height, context.pixelsMax)
    if (quarter) {
      const sides = angle % 180 === 0 ? [image.width, image.height] : [image.height, image.width]
      const [width = 0, height = 0] = sides
      const apply = (source: Sharp) => source.rotate(angle)
      const work = { stage: stages.quarterTurn, width, height, hasAlpha: image.hasAlpha, apply }
      return { image: { ...(await enqueueStage(image, work, context)), ...gainMapTurned(image, angle) } }
    }
    const pixels = await pixelsOf(image, context)
    const color = parseColor(background)
    return { image: imageFromPixels(await turnedPixels(pixels, angle, color, context)) }
  },
})

/** The bounding box of a rotated rectangle. */
function turned({ width, height }: { width: number; height: number }, angle: number) {
  const radians = (angle * Math.PI) / 180
  const [sin, cos] = [Math.abs(Math.sin(radians)), Math.abs(Math.cos(radians))]
  return { width: Math.ceil(width * cos + height * sin), height: Math.ceil(width * sin + height * cos) }
}

async function turnedPixels(pixels: Pixels, angle: number, background: Color, context: OperationContext) {
  if (pixels.channels === 3 && background.alpha === 1) {
    const source = await sharpOf(pixels)
    return toPixels(context, source.rotate(angle, { background }))
  }
  // sharp rotates straight alpha like a colour, which darkens edges; with a convolution in the same call, it works on
  // premultiplied pixels. This convolution changes nothing.
  const withAlpha = pixels.channels === 4 ? pixels : await toPixels(context, (await sharpOf(pixels)).ensureAlpha())
  const source = await sharpOf(withAlpha)
  source.rotate(angle, { background }).convolve({ width: 3, height: 3, kernel: [0, 0, 0, 0, 1, 0, 0, 0, 0] })
  return toPixels(context, source)
}
