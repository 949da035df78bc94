import Type from 'typebox'
import { enqueueStage } from '../../imaging/raster/pipeline.ts'
import type { Sharp } from '../../imaging/raster/sharp.ts'
import { stages } from '../../imaging/raster/stages.ts'
import { defineOperation, socket } from '../define.ts'

export const blur = defineOperation({
  id: 'blur',
  version: 1,
  title: 'Blur',
  summary: 'Blurs the image (Gaussian).',
  keywords: ['soften', 'smooth', 'defocus', 'bokeh', 'gaussian'],
  group: 'filter',
  inputs: { image: socket.one('The image to blur.') },
  params: Type.Object(
    {
      sigma: Type.Number({
        minimum: 0.3,
        maximum: 250,
        default: 3,
        title: 'Sigma',
        description: 'Standard deviation of the Gaussian; about half of the visible radius.',
        'x-unit': 'px',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The blurred image.' },
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'soft', inputs: { image: 'coffee.jpg' }, params: { sigma: 4 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { sigma: 6 } },
  ],

  stage: () => stages.blur,

  async run({ image }, { sigma }, context) {
    const { width, height, hasAlpha } = image
    const work = { stage: stages.blur, width, height, hasAlpha, apply: (source: Sharp) => source.blur(sigma) }
    return { image: await enqueueStage(image, work, context) }
  },
})
