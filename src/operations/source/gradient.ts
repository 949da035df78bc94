import Type from 'typebox'
import { parseColor } from '../../imaging/raster/color.ts'
import { gradient as drawGradient, gradientLine } from '../../imaging/raster/draw/gradient.ts'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { defineOperation } from '../define.ts'
import { sizeBinds, sizeFrame } from '../shared/frames.ts'
import { color, pixels } from '../shared/params.ts'

export const gradient = defineOperation({
  id: 'gradient',
  version: 1,
  title: 'Gradient',
  summary: 'Creates an image with a gradient between two colours.',
  keywords: ['fade', 'ramp', 'linear', 'radial', 'background', 'backdrop'],
  group: 'source',
  inputs: {},
  params: Type.Object(
    {
      width: pixels({ minimum: 1, title: 'Width', description: 'Width of the image.' }),
      height: pixels({ minimum: 1, title: 'Height', description: 'Height of the image.' }),
      from: color({ title: 'From', description: 'Colour at the start; can be transparent.' }),
      to: color({ title: 'To', description: 'Colour at the end; can be transparent.' }),
      shape: Type.Enum(['linear', 'radial'], {
        default: 'linear',
        title: 'Shape',
        description: 'linear: along `angle`; radial: from the centre to the corners.',
      }),
      angle: Type.Number({
        minimum: -360,
        maximum: 360,
        default: 180,
        title: 'Angle',
        description: 'Direction of a linear gradient, as in CSS: 0 upwards, 90 to the right, 180 downwards.',
        'x-unit': 'deg',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The gradient.',
    drawn: { line: 'From the first colour to the last colour, if the gradient is linear.', size: 'The result.' },
  },
  alpha: 'made',
  frames: 'none',
  deterministic: true,
  examples: [
    { name: 'downwards', params: { width: 160, height: 90, from: '#4263eb', to: '#f76707' } },
    { name: 'to transparent', params: { width: 160, height: 90, from: 'black', to: 'transparent', angle: 90 } },
    { name: 'slanted', params: { width: 160, height: 90, from: '#12b886', to: '#fff3bf', angle: 45 } },
    { name: 'radial', params: { width: 160, height: 90, from: 'white', to: '#364fc7', shape: 'radial' } },
  ],

  drawn({ width, height, shape, angle }) {
    const size = sizeFrame({ width, height }, sizeBinds)
    if (shape === 'radial') return [size]
    const ends = gradientLine(width, height, angle)
    return [{ id: 'line', kind: 'line', of: 'result', points: ends, binds: { angle: { param: 'angle' } } }, size]
  },

  async run(_, { width, height, from, to, shape, angle }, { pixelsMax }) {
    checkSize(width, height, pixelsMax)
    const ends = [parseColor(from), parseColor(to)] as const
    return { image: imageFromPixels(await drawGradient(width, height, ...ends, { shape, angle })) }
  },
})
