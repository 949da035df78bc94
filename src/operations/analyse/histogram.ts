import Type from 'typebox'
import { parseColor } from '../../imaging/raster/color.ts'
import { type Curve, drawHistogram } from '../../imaging/raster/draw/draw-histogram.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import {
  entropyOf,
  type Histograms,
  histogramsOf,
  type Spread,
  sharpnessOf,
  spreadOf,
} from '../../imaging/raster/measure/histogram.ts'
import { rounded } from '../../imaging/raster/measure/rounded.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { defineOperation, socket } from '../define.ts'
import { color, pixels } from '../shared/params.ts'

const spread = (of: string) =>
  Type.Object(
    {
      mean: Type.Number({ description: 'Mean.' }),
      stdev: Type.Number({ description: 'Standard deviation.' }),
      median: Type.Number({ description: '50th percentile.' }),
      p1: Type.Number({ description: '1st percentile: the effective black point.' }),
      p99: Type.Number({ description: '99th percentile: the effective white point.' }),
    },
    { additionalProperties: false, description: `mean, stdev, median, p1 and p99 of ${of}, 0 to 255.` },
  )

export const histogram = defineOperation({
  id: 'histogram',
  version: 1,
  title: 'Histogram',
  summary: 'Draws a histogram of the image and returns its levels, clipping and sharpness.',
  keywords: ['levels', 'exposure', 'statistics', 'sharpness'],
  group: 'analyse',
  inputs: { image: socket.one('The image to measure.') },
  params: Type.Object(
    {
      draw: Type.Boolean({
        default: true,
        title: 'Draw',
        description: 'Return a drawing of the histogram. If false, the image is returned unchanged.',
      }),
      channels: Type.Enum(['rgb', 'luma'], {
        default: 'rgb',
        title: 'Channels',
        description: 'Channels to draw. rgb: red, green and blue on top of each other; luma: brightness only.',
      }),
      width: pixels({ minimum: 16, default: 256, title: 'Width', description: 'Width of the drawing.' }),
      height: pixels({ minimum: 16, default: 128, title: 'Height', description: 'Height of the drawing.' }),
      background: color({
        default: '#16181d',
        title: 'Background',
        description: 'Colour behind the curves; can be transparent.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The histogram, from black on the left to white on the right, or the unchanged image.',
    values: {
      red: spread('red'),
      green: spread('green'),
      blue: spread('blue'),
      luma: spread('luma (Rec. 709)'),
      clippedShadows: Type.Number({ description: 'Share of the pixels with a channel at 0.' }),
      clippedHighlights: Type.Number({ description: 'Share of the pixels with a channel at 255.' }),
      entropy: Type.Number({ description: 'Entropy of luma in bits per pixel: 0 for a single colour, at most 8.' }),
      sharpness: Type.Number({
        description:
          'Variance of the Laplacian of luma. Photographs below about 100 look out of focus. Compare only images of the same size.',
      }),
    },
  },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  examples: [
    { name: 'of a photograph', inputs: { image: 'coffee.jpg' }, params: {} },
    {
      name: 'luma on transparent',
      inputs: { image: 'cat.jpg' },
      params: { channels: 'luma', width: 200, height: 80, background: 'transparent' },
    },
    { name: 'handed on', inputs: { image: 'badge.png' }, params: { draw: false } },
  ],

  async run({ image }, { draw, channels, background, ...size }, context) {
    if (draw) checkSize(size.width, size.height, context.pixelsMax)
    const source = await pixelsOf(image, context)
    const found = await histogramsOf(source, context)
    const style = { ...size, background: parseColor(background) }
    return {
      image: draw ? imageFromPixels(await drawHistogram(curvesOf(found, channels), style, context)) : image,
      red: roundedSpread(spreadOf(found.red)),
      green: roundedSpread(spreadOf(found.green)),
      blue: roundedSpread(spreadOf(found.blue)),
      luma: roundedSpread(spreadOf(found.luma)),
      clippedShadows: rounded(found.visible > 0 ? found.lost / found.visible : 0),
      clippedHighlights: rounded(found.visible > 0 ? found.burnt / found.visible : 0),
      entropy: rounded(entropyOf(found.luma)),
      sharpness: rounded(await sharpnessOf(source, context)),
    }
  },
})

/** Channel colours that add up to light grey; none of them is glaring by itself. */
function curvesOf({ red, green, blue, luma }: Histograms, channels: 'rgb' | 'luma'): Curve[] {
  if (channels === 'luma') return [{ bins: luma, light: [173, 181, 189] }]
  return [
    { bins: red, light: [178, 32, 38] },
    { bins: green, light: [26, 140, 54] },
    { bins: blue, light: [22, 56, 138] },
  ]
}

function roundedSpread({ mean, stdev, ...whole }: Spread): Spread {
  return { mean: rounded(mean), stdev: rounded(stdev), ...whole }
}
