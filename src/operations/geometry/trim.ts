import Type from 'typebox'
import type { Frame } from '../../../shared/frames.ts'
import { failure } from '../../errors.ts'
import { alphaByte, parseColor } from '../../imaging/raster/color.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { mapSome } from '../../imaging/raster/map-some.ts'
import { boundsOf, type Ground, groundAt } from '../../imaging/raster/measure/bounds.ts'
import { framesOf, mapFrames } from '../../imaging/raster/read/frames.ts'
import { cut, type Rectangle, union } from '../../imaging/raster/region.ts'
import { defineOperation, socket } from '../define.ts'
import { areaFrame } from '../shared/frames.ts'
import { color, pixels } from '../shared/params.ts'

export const trim = defineOperation({
  id: 'trim',
  version: 1,
  title: 'Trim',
  summary: 'Removes the empty border around the content of the image.',
  keywords: ['auto crop', 'remove border', 'whitespace', 'margin', 'shave'],
  group: 'geometry',
  inputs: { image: socket.one('The image to trim.') },
  params: Type.Object(
    {
      color: Type.Optional(
        color({
          title: 'Colour',
          description: 'Colour of the border; can be `transparent`. Default: the colour of the top left pixel.',
        }),
      ),
      tolerance: Type.Integer({
        minimum: 0,
        maximum: 254,
        default: 10,
        title: 'Tolerance',
        description:
          'Maximum difference of a channel from that colour, in levels out of 255, at which a pixel still counts as empty.',
      }),
      margin: pixels({
        default: 0,
        title: 'Margin',
        description: 'Empty space to keep on each side, as far as it exists.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The trimmed image. Animations are trimmed to the area that all frames need together.',
    values: {
      x: Type.Integer({ description: 'Pixels removed on the left.' }),
      y: Type.Integer({ description: 'Pixels removed at the top.' }),
    },
    drawn: { content: 'The area in the input image that is kept.' },
  },
  action: 'c2pa.cropped',
  alpha: 'moved',
  frames: 'whole',
  deterministic: true,
  examples: [
    { name: 'transparent space', inputs: { image: 'badge.png' }, params: { tolerance: 0 } },
    { name: 'without a soft shadow', inputs: { image: 'badge.png' }, params: { tolerance: 200, margin: 2 } },
    { name: 'an animation', inputs: { image: 'ball.gif' }, params: {} },
  ],

  async run({ image }, { color, tolerance, margin }, context) {
    const frames = await framesOf(image, context)
    const start = await pixelsOf(frames[0] ?? image, context)
    const ground = color === undefined ? groundAt(start, 0, 0) : groundOf(color)
    const found = await mapSome(frames, context.signal, async (frame) =>
      boundsOf(await pixelsOf(frame, context), ground, tolerance, context),
    )
    const bounds = found.reduce((all, one) => (all && one ? union(all, one) : (all ?? one)), undefined)
    if (bounds === undefined) {
      throw failure(
        'input_invalid',
        `Nothing would be left: every pixel of the image of ${image.width} x ${image.height} differs by at most ${tolerance} from the colour to trim.`,
      )
    }
    const x = Math.max(0, bounds.x - margin)
    const y = Math.max(0, bounds.y - margin)
    const width = Math.min(image.width, bounds.x + bounds.width + margin) - x
    const height = Math.min(image.height, bounds.y + bounds.height + margin) - y
    const left = await mapFrames(image, context, async (frame) =>
      imageFromPixels(await cut(await pixelsOf(frame, context), { x, y, width, height }, context)),
    )
    const content = contentFrame({ x, y, width, height }, bounds, margin)
    return { image: left, x, y, drawn: [content] }
  },
})

/** `bounds`: without the margin. A side that the margin would move out of the image has no bind. */
function contentFrame(kept: Rectangle, bounds: Rectangle, margin: number): Frame {
  const [right, bottom] = [bounds.x + bounds.width, bounds.y + bounds.height]
  const binds: Frame['binds'] = {
    ...(kept.x === bounds.x - margin && { x: { param: 'margin', origin: bounds.x, scale: -1 } }),
    ...(kept.y === bounds.y - margin && { y: { param: 'margin', origin: bounds.y, scale: -1 } }),
    ...(kept.x + kept.width === right + margin && { right: { param: 'margin', origin: right } }),
    ...(kept.y + kept.height === bottom + margin && { bottom: { param: 'margin', origin: bottom } }),
  }
  return areaFrame('content', 'rect', 'input', kept, binds)
}

function groundOf(text: string): Ground {
  const background = parseColor(text)
  return [background.r, background.g, background.b, alphaByte(background)]
}
