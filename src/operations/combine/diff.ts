import Type from 'typebox'
import { failure } from '../../errors.ts'
import { alphaByte, type Color, parseColor } from '../../imaging/raster/color.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { differenceOf } from '../../imaging/raster/measure/difference.ts'
import { eachRow } from '../../imaging/raster/rows.ts'
import { scaleTo } from '../../imaging/raster/shape/scaled.ts'
import { lumaAt } from '../../imaging/raster/tone/table.ts'
import type { Pixels } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { color } from '../shared/params.ts'

export const diff = defineOperation({
  id: 'diff',
  version: 1,
  title: 'Difference',
  summary: 'Shows where two images differ, and tells by how much, in values for templates.',
  group: 'combine',
  inputs: {
    image: socket.one('The image to look at.'),
    reference: socket.one('What it is compared with.'),
  },
  params: Type.Object(
    {
      threshold: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.1,
        title: 'Threshold',
        description:
          'How far two colours may be apart and count as the same: 0 not at all, 1 as far as black from white. The distance is in YIQ, near to what the eye sees.',
      }),
      antialiasing: Type.Boolean({
        default: false,
        title: 'Anti-aliasing',
        description: 'Whether pixels count that differ only in how an edge was smoothed.',
      }),
      fit: Type.Enum(['exact', 'fill', 'cover'], {
        default: 'exact',
        title: 'Fit',
        description:
          'What is done with a reference of another size. exact: it is refused; fill: it is stretched; cover: it is scaled, and what is over is cut evenly.',
      }),
      show: Type.Enum(['highlight', 'mask'], {
        default: 'highlight',
        title: 'Show',
        description: 'highlight: what differs on the image, which is pale and grey; mask: on transparent ground.',
      }),
      color: color({ default: '#ff1f5a', title: 'Colour', description: 'Of the pixels that differ.' }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'Where the two differ.',
    values: {
      same: Type.Boolean({ description: 'Whether they are the same, to the last level of every pixel that is seen.' }),
      difference: Type.Number({ description: 'Share of the pixels that differ by more than the threshold: 0 to 1.' }),
      maxDifference: Type.Number({ description: 'Largest difference of one channel, in levels: 0 to 255.' }),
      meanDifference: Type.Number({ description: 'Mean difference of all channels, in levels: 0 to 255.' }),
      psnr: Type.Number({
        description:
          'Peak signal-to-noise ratio, in dB: above 40 hardly anybody sees a difference, below 30 everybody. At most 100, which also stands for no difference.',
      }),
    },
  },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  examples: [
    {
      name: 'two photographs',
      inputs: { image: 'coffee.jpg', reference: 'cat.jpg' },
      params: { threshold: 0.3 },
    },
    {
      name: 'as a mask',
      inputs: { image: 'badge.png', reference: 'mark.svg' },
      params: { fit: 'fill', show: 'mask', color: '#7048e8' },
    },
    { name: 'the same', inputs: { image: 'coffee.jpg', reference: 'coffee.jpg' }, params: {} },
  ],

  async run({ image, reference }, { threshold, antialiasing, fit, show, color }, context) {
    const { width, height } = image
    if (fit === 'exact' && (width !== reference.width || height !== reference.height)) {
      throw failure(
        'input_invalid',
        `The image is ${width} x ${height} and the reference ${reference.width} x ${reference.height}; with \`fit: exact\` both have the same size.`,
      )
    }
    const [own, other] = await Promise.all([
      pixelsOf(image, context),
      scaleTo(reference, image, context, fit === 'cover' ? 'cover' : 'fill'),
    ])
    const found = await differenceOf(own, other, { threshold, antialiasing }, context)
    const ink = parseColor(color)
    const drawn = await (show === 'mask'
      ? onNothing(own, found.map, ink, context)
      : onPale(own, found.map, ink, context))
    return {
      image: imageFromPixels(drawn),
      same: found.max === 0,
      difference: rounded(found.count / (width * height)),
      maxDifference: rounded(found.max),
      meanDifference: rounded(found.mean),
      psnr: found.meanSquare === 0 ? 100 : Math.min(100, rounded(10 * Math.log10(255 ** 2 / found.meanSquare))),
    }
  },
})

/** How much of the image is left beneath what is shown. */
const paleness = 0.25

/** On white paper. */
async function onPale(own: Pixels, map: Uint8Array, ink: Color, context: OperationContext): Promise<Pixels> {
  const { data: from, width, height, channels } = own
  const data = Buffer.allocUnsafe(width * height * 3)
  await eachRow(own, context, (y) => {
    for (let pixel = y * width; pixel < (y + 1) * width; pixel += 1) {
      const alpha = channels === 4 ? (from[pixel * 4 + 3] as number) / 255 : 1
      const pale = 255 + (lumaAt(from, pixel * channels) - 255) * paleness * alpha
      const share = map[pixel] === 1 ? ink.alpha : 0
      data[pixel * 3] = pale + (ink.r - pale) * share + 0.5
      data[pixel * 3 + 1] = pale + (ink.g - pale) * share + 0.5
      data[pixel * 3 + 2] = pale + (ink.b - pale) * share + 0.5
    }
  })
  return { data, width, height, channels: 3 }
}

async function onNothing(
  { width, height }: Pixels,
  map: Uint8Array,
  ink: Color,
  context: OperationContext,
): Promise<Pixels> {
  const data = Buffer.alloc(width * height * 4)
  const pixel = Buffer.from([ink.r, ink.g, ink.b, alphaByte(ink)])
  await eachRow({ width, height }, context, (y) => {
    for (let at = y * width; at < (y + 1) * width; at += 1) if (map[at] === 1) pixel.copy(data, at * 4)
  })
  return { data, width, height, channels: 4 }
}

/** To what is worth reading, but never to nothing where there is something. */
function rounded(value: number): number {
  return value > 0 ? Math.max(0.000_001, Math.round(value * 1_000_000) / 1_000_000) : value
}
