import Type from 'typebox'
import { failure } from '../../errors.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { applyTones, tonesOf } from '../../imaging/raster/tone/luma.ts'
import { monotoneCurve, type Point } from '../../imaging/raster/tone/spline.ts'
import { applyTables, type Table, tableOf } from '../../imaging/raster/tone/table.ts'
import { defineOperation, socket } from '../define.ts'

export const curves = defineOperation({
  id: 'curves',
  version: 1,
  title: 'Curves',
  summary: 'Adjusts tones along smooth curves through points that you set.',
  keywords: ['tone curve', 'tones', 'contrast', 'channels', 'rgb'],
  group: 'colour',
  inputs: { image: socket.one('The image to adjust.') },
  params: Type.Object(
    {
      rgb: points('Curve', 'Curve of all three channels, applied after their own curves.'),
      red: points('Red', 'Curve of the red channel.'),
      green: points('Green', 'Curve of the green channel.'),
      blue: points('Blue', 'Curve of the blue channel.'),
      luminance: points('Luminance', 'Curve of the brightness, applied last; keeps every hue.'),
    },
    {
      additionalProperties: false,
      anyOf: ['rgb', 'red', 'green', 'blue', 'luminance'].map((name) => ({ required: [name] })),
    },
  ),
  outputs: { image: 'The adjusted image; transparency does not change.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    {
      name: 's curve',
      inputs: { image: 'cat.jpg' },
      params: { luminance: list([0, 0], [64, 44], [192, 214], [255, 255]) },
    },
    {
      name: 'matte',
      inputs: { image: 'coffee.jpg' },
      params: { rgb: list([0, 44], [64, 76], [160, 176], [255, 240]) },
    },
    {
      name: 'cross process',
      inputs: { image: 'coffee.jpg' },
      params: {
        red: list([0, 0], [88, 70], [170, 200], [255, 255]),
        green: list([0, 0], [65, 54], [184, 200], [255, 255]),
        blue: list([0, 29], [255, 226]),
      },
    },
    {
      name: 'solarised',
      inputs: { image: 'coffee.jpg' },
      params: { rgb: list([0, 0], [128, 255], [255, 0]) },
    },
    {
      name: 'with alpha',
      inputs: { image: 'badge.png' },
      params: { rgb: list([0, 40], [128, 160], [255, 255]) },
    },
  ],

  async run({ image }, { rgb, red, green, blue, luminance }, context) {
    const all = curveOf('rgb', rgb)
    const table = (name: string, points: number[][] | undefined): Table => {
      const ofChannel = curveOf(name, points)
      // As in GIMP: first the channel, then all channels; rounded once.
      return tableOf((value) => all(ofChannel(value * 255)) / 255)
    }
    const tables = [table('red', red), table('green', green), table('blue', blue)] as const
    const source = await pixelsOf(image, context)
    const pixels = rgb || red || green || blue ? await applyTables(source, tables, context) : source
    if (luminance === undefined) return { image: imageFromPixels(pixels) }
    const curve = curveOf('luminance', luminance)
    const tones = tonesOf((value) => curve(value * 255) / 255)
    return { image: imageFromPixels(await applyTones(pixels, tones, context)) }
  },
})

function points(title: string, description: string) {
  const pair = Type.Array(Type.Number({ minimum: 0, maximum: 255 }), { minItems: 2, maxItems: 2 })
  return Type.Optional(
    Type.Array(pair, {
      minItems: 2,
      maxItems: 32,
      title,
      description: `${description} Points [in, out], 0 to 255, in ascending order of \`in\`, such as [[0, 0], [128, 150], [255, 255]]. The curve is smooth between points, never overshoots, and is flat before the first and after the last point.`,
    }),
  )
}

function list(...pairs: [number, number][]): [number, number][] {
  return pairs
}

function curveOf(name: string, values: number[][] | undefined): (value: number) => number {
  if (values === undefined) return (value) => value
  const found = values.map(([from = 0, to = 0]): Point => [from, to])
  const wrong = found.findIndex(([from], i) => i > 0 && from <= (found[i - 1]?.[0] ?? 0))
  if (wrong > 0) {
    throw failure(
      'input_invalid',
      `Point ${wrong} of \`${name}\` (counted from 0) has the input ${found[wrong]?.[0]}, which must be greater than ${found[wrong - 1]?.[0]}, the input of the previous point.`,
    )
  }
  return monotoneCurve(found)
}
