import Type from 'typebox'
import { failure } from '../../errors.ts'
import { parseColor } from '../../imaging/raster/color.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { applyRamp, rampOf, type Stop } from '../../imaging/raster/tone/ramp.ts'
import { defineOperation, socket } from '../define.ts'
import { color } from '../shared/params.ts'

export const gradientMap = defineOperation({
  id: 'gradient-map',
  version: 1,
  title: 'Gradient map',
  summary: 'Maps brightness, from black to white, to the colours of a gradient.',
  keywords: ['recolor', 'colorize', 'false color', 'heat map', 'color'],
  group: 'colour',
  inputs: { image: socket.one('The image to recolour.') },
  params: Type.Object(
    {
      stops: Type.Array(
        Type.Object(
          {
            at: Type.Number({
              minimum: 0,
              maximum: 1,
              title: 'At',
              description: 'Luma of this stop: 0 is black, 1 is white.',
            }),
            color: color({
              title: 'Colour',
              description: 'Colour of this stop. If it is translucent, the image shows through.',
            }),
          },
          { additionalProperties: false },
        ),
        {
          minItems: 2,
          maxItems: 16,
          default: [
            { at: 0, color: '#2b0a3d' },
            { at: 0.45, color: '#d6336c' },
            { at: 1, color: '#ffec99' },
          ],
          title: 'Stops',
          description:
            'Colour stops in ascending order of `at`, mixed as in CSS gradients. Two stops at the same position make a hard edge.',
        },
      ),
      amount: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        title: 'Amount',
        description: 'Strength: 0 is unchanged, 1 shows only the colours of the gradient.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image in the colours of the gradient; transparency does not change.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'dusk', inputs: { image: 'coffee.jpg' }, params: {} },
    {
      name: 'thermal',
      inputs: { image: 'cat.jpg' },
      params: {
        stops: stops([0, '#03071e'], [0.3, '#6a0dad'], [0.55, '#e63946'], [0.8, '#ffb703'], [1, '#fffbe6']),
      },
    },
    {
      name: 'poster',
      inputs: { image: 'cat.jpg' },
      params: {
        stops: stops(
          [0, '#00304a'],
          [0.25, '#00304a'],
          [0.25, '#d62828'],
          [0.45, '#d62828'],
          [0.45, '#7fa1a8'],
          [0.65, '#7fa1a8'],
          [0.65, '#fbe8a6'],
        ),
      },
    },
    {
      name: 'shadows only',
      inputs: { image: 'coffee.jpg' },
      params: { stops: stops([0, '#0b4f6c'], [0.6, 'rgb(11 79 108 / 0)']) },
    },
    {
      name: 'with alpha',
      inputs: { image: 'badge.png' },
      params: { stops: stops([0, '#081c15'], [0.5, '#40916c'], [1, '#d8f3dc']) },
    },
  ],

  async run({ image }, { stops, amount }, context) {
    const found = stops.map(({ at, color }): Stop => ({ at, color: parseColor(color) }))
    const wrong = found.findIndex(({ at }, i) => i > 0 && at < (found[i - 1]?.at ?? 0))
    if (wrong > 0) {
      throw failure(
        'input_invalid',
        `Stop ${wrong} (counted from 0) is at ${found[wrong]?.at}, before the previous stop at ${found[wrong - 1]?.at}. Stops must be in ascending order.`,
      )
    }
    return { image: imageFromPixels(await applyRamp(await pixelsOf(image, context), rampOf(found), amount, context)) }
  },
})

function stops(...pairs: [number, string][]): { at: number; color: string }[] {
  return pairs.map(([at, color]) => ({ at, color }))
}
