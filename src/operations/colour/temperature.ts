import Type from 'typebox'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { lightAt, relight } from '../../imaging/raster/tone/light.ts'
import { defineOperation, socket } from '../define.ts'

/** What 100 is. An amber conversion filter (Wratten 85) has 112 mired, a blue one (80B) as many below 0. */
const miredMost = 110
/** A fluorescent tube without a correction filter is about this far off. */
const duvMost = 0.02

export const temperature = defineOperation({
  id: 'temperature',
  version: 1,
  title: 'Temperature',
  summary: 'Makes the light warmer or cooler, greener or more magenta, and keeps how bright it is.',
  group: 'colour',
  inputs: { image: socket.one('The image to put in another light.') },
  params: Type.Object(
    {
      warmth: Type.Number({
        minimum: -100,
        maximum: 100,
        default: 0,
        title: 'Warmth',
        description:
          'From blue (-100) over unchanged (0) to orange (100). One step is a shift of 1.1 mired; 100 turns daylight of 5500 K to the light of a lamp, 3430 K.',
      }),
      tint: Type.Number({
        minimum: -100,
        maximum: 100,
        default: 0,
        title: 'Tint',
        description: 'From green (-100) over unchanged (0) to magenta (100). One step is a Duv of 0.0002.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image in the other light; black and white stay, and so does what was transparent.' },
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
