import Type from 'typebox'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { lightAt, relight } from '../../imaging/raster/tone/light.ts'
import { defineOperation, socket } from '../define.ts'

/** The shift at 100. An amber conversion filter (Wratten 85) has 112 mired, a blue one (80B) -112. */
const miredMost = 110
/** Maximum distance: about the error of a fluorescent tube without a correction filter. */
const duvMost = 0.02

export const temperature = defineOperation({
  id: 'temperature',
  version: 1,
  title: 'Temperature',
  summary: 'Makes the image warmer or cooler, greener or more magenta, without changing brightness.',
  keywords: ['white balance', 'warmth', 'cool', 'color cast', 'color'],
  group: 'colour',
  inputs: { image: socket.one('The image to adjust.') },
  params: Type.Object(
    {
      warmth: Type.Number({
        minimum: -100,
        maximum: 100,
        default: 0,
        title: 'Warmth',
        description:
          'From blue (-100) to orange (100); 0 is unchanged. One step shifts by 1.1 mired: 100 turns daylight of 5500 K into lamp light of 3430 K.',
      }),
      tint: Type.Number({
        minimum: -100,
        maximum: 100,
        default: 0,
        title: 'Tint',
        description: 'From green (-100) to magenta (100); 0 is unchanged. One step is a Duv of 0.0002.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The adjusted image; black, white and transparency do not change.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'warmer', inputs: { image: 'cat.jpg' }, params: { warmth: 50 } },
    { name: 'cooler', inputs: { image: 'coffee.jpg' }, params: { warmth: -60 } },
    { name: 'magenta', inputs: { image: 'cat.jpg' }, params: { tint: 50 } },
    { name: 'green', inputs: { image: 'cat.jpg' }, params: { tint: -50 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { warmth: 80, tint: 10 } },
  ],

  async run({ image }, { warmth, tint }, context) {
    if (warmth === 0 && tint === 0) return { image }
    const light = lightAt((warmth / 100) * miredMost, (-tint / 100) * duvMost)
    return { image: imageFromPixels(await relight(await pixelsOf(image, context), light, context)) }
  },
})
