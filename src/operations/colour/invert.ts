import Type from 'typebox'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { enqueueStage } from '../../imaging/raster/pipeline.ts'
import type { Sharp } from '../../imaging/raster/sharp.ts'
import { stages } from '../../imaging/raster/stages.ts'
import { applyTables, tableOf } from '../../imaging/raster/tone/table.ts'
import { defineOperation, socket } from '../define.ts'

export const invert = defineOperation({
  id: 'invert',
  version: 1,
  title: 'Invert',
  summary: 'Inverts the colours of the image.',
  keywords: ['negative', 'inverse', 'reverse colors', 'opposite'],
  group: 'colour',
  inputs: { image: socket.one('The image to invert.') },
  params: Type.Object(
    {
      amount: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        title: 'Amount',
        description: 'Strength, as in CSS invert(): 0 is unchanged, 0.5 is middle grey, 1 is the negative.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The negative; transparency does not change.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'a photograph', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'in part', inputs: { image: 'coffee.jpg' }, params: { amount: 0.85 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: {} },
  ],

  stage: ({ amount }) => (amount === 1 ? stages.negate : undefined),

  // Filter Effects Module Level 1, `invert`: a line from `amount` to 1 - `amount`.
  async run({ image }, { amount }, context) {
    if (amount === 1) {
      const { width, height, hasAlpha } = image
      const apply = (source: Sharp) => source.negate({ alpha: false })
      return {
        image: await enqueueStage(image, { stage: stages.negate, width, height, hasAlpha, apply }, context),
      }
    }
    const table = tableOf((value) => amount + value * (1 - 2 * amount))
    return { image: imageFromPixels(await applyTables(await pixelsOf(image, context), [table, table, table], context)) }
  },
})
