import Type from 'typebox'
import { parseColor } from '../../imaging/raster/color.ts'
import type { Rows } from '../../imaging/raster/effect/box-blur.ts'
import { edgeMethods, edgeRows } from '../../imaging/raster/effect/contours.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { twoTone } from '../../imaging/raster/tone/two-tone.ts'
import { defineOperation, socket } from '../define.ts'
import { color } from '../shared/params.ts'

export const edges = defineOperation({
  id: 'edges',
  version: 1,
  title: 'Edges',
  summary: 'Draws the edges of the image as lines.',
  keywords: ['edge detection', 'line drawing', 'sketch', 'contour'],
  group: 'filter',
  inputs: { image: socket.one('The image to detect edges in.') },
  params: Type.Object(
    {
      method: Type.Enum([...edgeMethods], {
        default: 'gradient',
        title: 'Method',
        description:
          'gradient: steepness by the Scharr operator, for measuring; difference: difference of two Gaussians, like ink on the dark side of edges.',
      }),
      sigma: Type.Number({
        minimum: 0.3,
        maximum: 20,
        default: 1,
        title: 'Sigma',
        description:
          'Standard deviation of the blur before detection. Higher values give broader lines and less fine detail.',
        'x-unit': 'px',
      }),
      strength: Type.Number({
        minimum: 0,
        maximum: 50,
        default: 3,
        title: 'Strength',
        description: 'Strength of the lines. At 1, only a step from black to white has the full colour.',
      }),
      threshold: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0,
        title: 'Threshold',
        description: 'Minimum strength of an edge, after `strength`; reduces noise.',
      }),
      color: color({ default: 'white', title: 'Colour', description: 'Colour of the lines.' }),
      background: color({
        default: 'black',
        title: 'Background',
        description: 'Background colour; `transparent` leaves only the lines.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The lines on their background; opaque if both colours are opaque.' },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'white on black', inputs: { image: 'coffee.jpg' }, params: {} },
    {
      name: 'ink on paper',
      inputs: { image: 'cat.jpg' },
      params: { method: 'difference', sigma: 1, strength: 4, threshold: 0.1, color: '#212529', background: '#fff9db' },
    },
    {
      name: 'only the lines',
      inputs: { image: 'coffee.jpg' },
      params: { sigma: 1.5, strength: 4, threshold: 0.15, color: '#1864ab', background: 'transparent' },
    },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { color: 'black', background: 'white' } },
  ],

  async run({ image }, { color, background, method, sigma, strength, threshold }, context) {
    const pixels = await pixelsOf(image, context)
    const found = edgeRows(pixels, method, sigma)
    // Values above the threshold are stretched to the full range.
    const scale = threshold === 1 ? 0 : 1 / (1 - threshold)
    const rows: Rows = (into) => {
      found(into)
      for (let x = 0; x < into.length; x += 1) into[x] = ((into[x] as number) * strength - threshold) * scale
    }
    const tones = { from: parseColor(background), to: parseColor(color), rows, cost: 16 }
    return { image: imageFromPixels(await twoTone(pixels, tones, context)) }
  },
})
