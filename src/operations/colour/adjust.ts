import Type from 'typebox'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { applyArithmetic } from '../../imaging/raster/tone/arithmetic.ts'
import { hueRotate, multiply, saturate } from '../../imaging/raster/tone/matrix.ts'
import { applyTables, tableOf } from '../../imaging/raster/tone/table.ts'
import { defineOperation, socket } from '../define.ts'

const factor = { minimum: 0, maximum: 10, default: 1 }

export const adjust = defineOperation({
  id: 'adjust',
  version: 2,
  title: 'Adjust',
  summary: 'Changes brightness, contrast and colours.',
  keywords: [
    'brightness',
    'contrast',
    'saturation',
    'hue',
    'gamma',
    'exposure',
    'color',
    'lighten',
    'darken',
    'desaturate',
    'hsl',
    'vivid',
  ],
  group: 'colour',
  inputs: { image: socket.one('The image to adjust.') },
  params: Type.Object(
    {
      brightness: Type.Number({
        ...factor,
        title: 'Brightness',
        description: 'Factor for every channel: 1 is unchanged, 0 is black, 2 is twice as bright.',
      }),
      lightness: Type.Number({
        minimum: -100,
        maximum: 100,
        default: 0,
        title: 'Lightness',
        description: 'Added to every channel: 0 is unchanged, -100 is black, 100 is white.',
        'x-unit': '%',
      }),
      contrast: Type.Number({
        ...factor,
        title: 'Contrast',
        description: 'Factor for the distance from middle grey: 1 is unchanged, 0 is grey.',
      }),
      saturation: Type.Number({
        ...factor,
        title: 'Saturation',
        description: 'Strength of the colours, as in CSS saturate(): 1 is unchanged, 0 is grey.',
      }),
      hue: Type.Number({
        minimum: -360,
        maximum: 360,
        default: 0,
        title: 'Hue',
        description: 'Rotates the hues, as in CSS hue-rotate().',
        'x-unit': 'deg',
      }),
      gamma: Type.Number({
        minimum: 0.34,
        maximum: 3,
        default: 1,
        title: 'Gamma',
        description:
          'Brightness of mid-tones: out = in ^ (1 / gamma), for values from 0 to 1. Values above 1 are brighter.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The adjusted image. Order: gamma; saturation and hue; brightness, contrast, lightness.',
  },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'brighter', inputs: { image: 'coffee.jpg' }, params: { brightness: 1.2, contrast: 1.1 } },
    { name: 'strong colours', inputs: { image: 'coffee.jpg' }, params: { saturation: 1.8 } },
    { name: 'other colours', inputs: { image: 'coffee.jpg' }, params: { hue: 120 } },
    { name: 'gamma', inputs: { image: 'coffee.jpg' }, params: { gamma: 1.8, lightness: 5 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { brightness: 0.7, hue: 180, gamma: 0.8 } },
  ],

  async run({ image }, params, context) {
    const { gamma, brightness, contrast, lightness, saturation, hue } = params
    const slope = brightness * contrast
    const offset = 127.5 * (1 - contrast) + 255 * (lightness / 100)
    const bright = (value: number) => value ** (1 / gamma)
    const pixels = await pixelsOf(image, context)
    if (saturation === 1 && hue % 360 === 0) {
      // Pixels are independent: 256 results cover all values.
      const table = tableOf((value) => bright(value) * slope + offset / 255)
      return { image: imageFromPixels(await applyTables(pixels, [table, table, table], context)) }
    }
    const before = Float64Array.from({ length: 256 }, (_, byte) => 255 * bright(byte / 255) * slope)
    const matrix = multiply(hueRotate(hue), saturate(saturation))
    return { image: imageFromPixels(await applyArithmetic(pixels, { before, matrix, offset }, context)) }
  },
})
