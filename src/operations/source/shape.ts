import Type from 'typebox'
import { failure } from '../../errors.ts'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { cssColor } from '../../imaging/vector/css-color.ts'
import { drawShape, lines, shapes } from '../../imaging/vector/draw-shape.ts'
import { defineOperation } from '../define.ts'
import { color, pixels } from '../shared/params.ts'

export const shape = defineOperation({
  id: 'shape',
  version: 1,
  title: 'Shape',
  summary: 'Draws a rectangle, ellipse, polygon, star or line on a transparent background.',
  keywords: [
    'rectangle',
    'square',
    'box',
    'circle',
    'ellipse',
    'triangle',
    'polygon',
    'star',
    'line',
    'progress bar',
    'badge',
    'button',
  ],
  group: 'source',
  inputs: {},
  params: Type.Object(
    {
      shape: Type.Enum([...shapes], { title: 'Shape', description: 'Shape to draw. It fills the entire image.' }),
      width: pixels({ minimum: 1, title: 'Width', description: 'Width of the shape and of the image.' }),
      height: pixels({ minimum: 1, title: 'Height', description: 'Height of the shape and of the image.' }),
      fill: color({
        default: 'black',
        title: 'Fill',
        description: 'Fill colour; can be transparent. Ignored for a line.',
      }),
      stroke: color({ default: 'black', title: 'Stroke', description: 'Colour of the outline or the line.' }),
      strokeWidth: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 1_000,
          title: 'Stroke width',
          description: 'Width of the outline, which lies inside the image. Default: 0; 1 for a line.',
          'x-unit': 'px',
        }),
      ),
      radius: pixels({
        default: 0,
        title: 'Radius',
        description: 'Corner radius of a rectangle; at most half of its shorter side, as in CSS.',
      }),
      points: Type.Integer({
        minimum: 3,
        maximum: 100,
        default: 5,
        title: 'Points',
        description: 'Number of corners of a polygon, or of tips of a star. One of them is at the top.',
      }),
      innerRadius: Type.Number({
        minimum: 0.01,
        maximum: 1,
        default: 0.382,
        title: 'Inner radius',
        description:
          'Distance of the inner corners of a star, as a share of the distance of its tips. 0.382 gives a star of five straight lines.',
      }),
      line: Type.Enum([...lines], {
        default: 'horizontal',
        title: 'Line',
        description:
          'Course of a line: horizontal or vertical through the centre, or from corner to corner, downwards (falling) or upwards (rising) to the right.',
      }),
      lineCap: Type.Enum(['butt', 'round'], {
        default: 'butt',
        title: 'Line cap',
        description: 'Ends of a line: cut straight, or round.',
        'x-advanced': true,
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The shape on a transparent background.' },
  alpha: 'made',
  frames: 'none',
  deterministic: true,
  examples: [
    {
      name: 'a rounded rectangle',
      params: {
        shape: 'rectangle',
        width: 160,
        height: 90,
        radius: 20,
        fill: '#4263eb',
        stroke: '#1c2a6b',
        strokeWidth: 4,
      },
    },
    {
      name: 'an ellipse',
      params: { shape: 'ellipse', width: 160, height: 90, fill: '#12b88680', stroke: '#0b7285', strokeWidth: 6 },
    },
    { name: 'a hexagon', params: { shape: 'polygon', points: 6, width: 90, height: 100, fill: '#f76707' } },
    {
      name: 'a star',
      params: { shape: 'star', width: 110, height: 105, fill: '#ffd43b', stroke: '#e67700', strokeWidth: 5 },
    },
    {
      name: 'a ring',
      params: { shape: 'ellipse', width: 90, height: 90, fill: 'transparent', stroke: '#d6336c', strokeWidth: 14 },
    },
    {
      name: 'a slanted line',
      params: {
        shape: 'line',
        line: 'rising',
        width: 120,
        height: 60,
        strokeWidth: 8,
        stroke: '#343a40',
        lineCap: 'round',
      },
    },
  ],

  async run(_, { strokeWidth, ...style }, context) {
    const { shape, width, height } = style
    checkSize(width, height, context.pixelsMax)
    const stroke = strokeWidth ?? (shape === 'line' ? 1 : 0)
    if (stroke > Math.min(width, height)) {
      throw failure(
        'input_invalid',
        `A stroke of ${stroke} px does not fit into an image of ${width} x ${height}; the maximum is ${Math.min(width, height)} px. Set a smaller "strokeWidth".`,
      )
    }
    const colors = { fill: cssColor(style.fill), stroke: cssColor(style.stroke) }
    return { image: imageFromPixels(await drawShape({ ...style, ...colors, strokeWidth: stroke }, context)) }
  },
})
