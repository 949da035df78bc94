import Type from 'typebox'
import { enqueueStage } from '../../imaging/raster/pipeline.ts'
import { gainMapFlipped } from '../../imaging/raster/shape/move-gain-map.ts'
import type { Sharp } from '../../imaging/raster/sharp.ts'
import { stages } from '../../imaging/raster/stages.ts'
import { defineOperation, socket } from '../define.ts'

export const flip = defineOperation({
  id: 'flip',
  version: 1,
  title: 'Flip',
  summary: 'Mirrors the image horizontally, vertically or both.',
  keywords: ['mirror', 'reflect', 'reverse', 'horizontal', 'vertical'],
  group: 'geometry',
  inputs: { image: socket.one('The image to mirror.') },
  params: Type.Object(
    {
      axis: Type.Enum(['horizontal', 'vertical', 'both'], {
        default: 'horizontal',
        title: 'Axis',
        description: 'horizontal: swap left and right; vertical: swap top and bottom; both: rotate by 180 degrees.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The mirrored image.' },
  action: 'c2pa.orientation',
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'horizontal', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'vertical', inputs: { image: 'badge.png' }, params: { axis: 'vertical' } },
    { name: 'both', inputs: { image: 'coffee.jpg' }, params: { axis: 'both' } },
  ],

  stage: () => stages.flip,

  async run({ image }, { axis }, context) {
    const { width, height, hasAlpha } = image
    const apply = (source: Sharp) => source.flop(axis !== 'vertical').flip(axis !== 'horizontal')
    const flipped = await enqueueStage(image, { stage: stages.flip, width, height, hasAlpha, apply }, context)
    return { image: { ...flipped, ...gainMapFlipped(image, axis) } }
  },
})
