import Type from 'typebox'
import { parseColor } from '../../imaging/raster/color.ts'
import { noiseRows, noises } from '../../imaging/raster/draw/noise.ts'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { twoTone } from '../../imaging/raster/tone/two-tone.ts'
import { defineOperation } from '../define.ts'
import { color, pixels, seed } from '../shared/params.ts'

export const noise = defineOperation({
  id: 'noise',
  version: 1,
  title: 'Noise',
  summary: 'Generates a random texture: clouds, smoke, paper, static.',
  keywords: ['texture', 'pattern', 'clouds', 'fog', 'perlin', 'background'],
  group: 'source',
  inputs: {},
  params: Type.Object(
    {
      width: pixels({ minimum: 1, title: 'Width', description: 'Width of the image.' }),
      height: pixels({ minimum: 1, title: 'Height', description: 'Height of the image.' }),
      kind: Type.Enum([...noises], {
        default: 'perlin',
        title: 'Kind',
        description:
          'perlin and simplex: soft features (simplex has no visible grid); value: blotches between random points; white: independent pixels.',
      }),
      scale: Type.Number({
        minimum: 1,
        maximum: 4_096,
        default: 64,
        title: 'Scale',
        description: 'Size of the largest features. Ignored for white noise.',
        'x-unit': 'px',
      }),
      octaves: Type.Integer({
        minimum: 1,
        maximum: 10,
        default: 4,
        title: 'Octaves',
        description:
          'Number of layers, each with features half as large as the previous one: 1 is smooth, more add detail. Layers finer than a pixel are omitted.',
      }),
      roughness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        title: 'Roughness',
        description: 'Strength of each layer, relative to the previous one.',
      }),
      from: color({ default: 'black', title: 'From', description: 'Colour of the lowest values; can be transparent.' }),
      to: color({ default: 'white', title: 'To', description: 'Colour of the highest values; can be transparent.' }),
      seed: seed('Seed of the random pattern. The same seed always gives the same texture.'),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The texture.' },
  alpha: 'made',
  frames: 'none',
  deterministic: true,
  examples: [
    { name: 'clouds', params: { width: 160, height: 90, octaves: 6, from: '#1c7ed6', to: 'white' } },
    {
      name: 'smooth',
      params: { width: 160, height: 90, kind: 'simplex', scale: 50, octaves: 1, from: '#0b7285', to: '#96f2d7' },
    },
    {
      name: 'smoke',
      params: {
        width: 160,
        height: 90,
        kind: 'simplex',
        scale: 80,
        octaves: 6,
        roughness: 0.6,
        from: 'transparent',
        to: '#495057',
        seed: 5,
      },
    },
    {
      name: 'paper',
      params: {
        width: 160,
        height: 90,
        kind: 'value',
        scale: 4,
        octaves: 3,
        roughness: 1,
        from: '#e9d8b4',
        to: '#fdf6e3',
      },
    },
    { name: 'static', params: { width: 160, height: 90, kind: 'white' } },
  ],

  async run(_, { width, height, from, to, ...settings }, context) {
    checkSize(width, height, context.pixelsMax)
    const tones = { from: parseColor(from), to: parseColor(to), rows: noiseRows(settings), cost: 6 * settings.octaves }
    return { image: imageFromPixels(await twoTone({ width, height }, tones, context)) }
  },
})
