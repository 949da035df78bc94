import Type from 'typebox'
import type { Frame } from '../../../shared/frames.ts'
import { parseColor } from '../../imaging/raster/color.ts'
import { enqueueStage } from '../../imaging/raster/pipeline.ts'
import type { Sharp } from '../../imaging/raster/sharp.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { stages } from '../../imaging/raster/stages.ts'
import { defineOperation, socket } from '../define.ts'
import { areaFrame } from '../shared/frames.ts'
import { color, pixels } from '../shared/params.ts'

const sides = ['top', 'right', 'bottom', 'left'] as const

export const extend = defineOperation({
  id: 'extend',
  version: 1,
  title: 'Extend',
  summary: 'Adds space around the image.',
  keywords: ['padding', 'border', 'margin', 'frame', 'expand', 'canvas size', 'letterbox', 'spacing'],
  group: 'geometry',
  inputs: { image: socket.one('The image to extend.') },
  params: Type.Object(
    {
      top: Type.Optional(pixels({ title: 'Top', description: 'Pixels to add at the top. Default: 0.' })),
      right: Type.Optional(pixels({ title: 'Right', description: 'Pixels to add on the right. Default: 0.' })),
      bottom: Type.Optional(pixels({ title: 'Bottom', description: 'Pixels to add at the bottom. Default: 0.' })),
      left: Type.Optional(pixels({ title: 'Left', description: 'Pixels to add on the left. Default: 0.' })),
      fill: Type.Enum(['color', 'copy', 'mirror', 'repeat'], {
        default: 'color',
        title: 'Fill',
        description:
          'How to fill the space. color: with `color`; copy: with the edge pixels; mirror: with the mirrored image; repeat: with the repeated image.',
      }),
      color: color({ default: 'transparent', title: 'Colour', description: 'Colour of the space.' }),
    },
    { additionalProperties: false, anyOf: sides.map((side) => ({ required: [side] })) },
  ),
  outputs: { image: 'The extended image.', drawn: { canvas: 'The result, in pixels of the input image.' } },
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [
    {
      name: 'a frame',
      inputs: { image: 'coffee.jpg' },
      params: { top: 10, right: 10, bottom: 30, left: 10, color: '#f8f9fa' },
    },
    { name: 'transparent', inputs: { image: 'coffee.jpg' }, params: { left: 40 } },
    { name: 'mirrored', inputs: { image: 'coffee.jpg' }, params: { top: 30, bottom: 30, fill: 'mirror' } },
  ],

  drawn({ top = 0, right = 0, bottom = 0, left = 0 }, { image: { width, height } }) {
    const canvas = { x: -left, y: -top, width: width + left + right, height: height + top + bottom }
    const binds: Frame['binds'] = {
      x: { param: 'left', scale: -1 },
      y: { param: 'top', scale: -1 },
      right: { param: 'right', origin: width },
      bottom: { param: 'bottom', origin: height },
    }
    return [areaFrame('canvas', 'rect', 'input', canvas, binds)]
  },

  stage: stageOf,

  async run({ image }, { top = 0, right = 0, bottom = 0, left = 0, fill, color }, context) {
    const [width, height] = [image.width + left + right, image.height + top + bottom]
    checkSize(width, height, context.pixelsMax)
    const extendWith = fill === 'color' ? 'background' : fill
    const background = parseColor(color)
    const stage = stageOf({ fill, color })
    const hasAlpha = image.hasAlpha || stage === stages.extendClear
    const apply = (source: Sharp) => source.extend({ top, right, bottom, left, extendWith, background })
    return { image: await enqueueStage(image, { stage, width, height, hasAlpha, apply }, context) }
  },
})

function stageOf({ fill, color }: { fill: string; color: string }) {
  return fill === 'color' && parseColor(color).alpha < 1 ? stages.extendClear : stages.extend
}
