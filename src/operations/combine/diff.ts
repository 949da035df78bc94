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
  summary: 'Highlights differences between two images and returns measurements as values for templates.',
  keywords: ['compare', 'comparison', 'changes', 'visual regression'],
  group: 'combine',
  inputs: {
    image: socket.one('The image to compare.'),
    reference: socket.one('The image to compare with.'),
  },
  params: Type.Object(
    {
      threshold: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.1,
        title: 'Threshold',
        description:
          'Colour distance up to which two pixels count as equal: 0 is exact, 1 is the distance from black to white. Measured in YIQ, which is close to human perception.',
      }),
      antialiasing: Type.Boolean({
        default: false,
        title: 'Anti-aliasing',
        description: 'Count pixels that differ only in the anti-aliasing of an edge.',
      }),
      fit: Type.Enum(['exact', 'fill', 'cover'], {
        default: 'exact',
        title: 'Fit',
        description:
          'How to fit a reference of another size. exact: reject; fill: stretch; cover: scale and crop evenly.',
      }),
      show: Type.Enum(['highlight', 'mask'], {
        default: 'highlight',
        title: 'Show',
        description:
          'highlight: draw differences on a pale grey copy of the image; mask: draw differences on a transparent background.',
      }),
      color: color({ default: '#ff1f5a', title: 'Colour', description: 'Colour of pixels that differ.' }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'An image of the differences.',
    values: {
      same: Type.Boolean({ description: 'Whether both images are identical in every visible pixel.' }),
      difference: Type.Number({ description: 'Share of the pixels that differ by more than the threshold, 0 to 1.' }),
      maxDifference: Type.Number({ description: 'Maximum difference of a channel, 0 to 255.' }),
      meanDifference: Type.Number({ description: 'Mean difference of all channels, 0 to 255.' }),
      psnr: Type.Number({
        description:
          'Peak signal-to-noise ratio in dB: above 40 differences are hardly visible, below 30 they are obvious. The maximum, 100, also means no difference.',
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
        `The image is ${width} x ${height} and the reference is ${reference.width} x ${reference.height}. With \`fit: exact\`, both must have the same size. Resize one of them first, or set another "fit".`,
      )
    }
    const [base, other] = await Promise.all([
      pixelsOf(image, context),
      scaleTo(reference, image, context, fit === 'cover' ? 'cover' : 'fill'),
    ])
    const found = await differenceOf(base, other, { threshold, antialiasing }, context)
    const ink = parseColor(color)
    const drawn = await (show === 'mask'
      ? onNothing(base, found.map, ink, context)
      : onPale(base, found.map, ink, context))
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

/** Opacity of the image below the highlighted differences. */
const paleness = 0.25

/** The image on white. */
async function onPale(base: Pixels, map: Uint8Array, ink: Color, context: OperationContext): Promise<Pixels> {
  const { data: from, width, height, channels } = base
  const data = Buffer.allocUnsafe(width * height * 3)
  await eachRow(base, context, (y) => {
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

/** Rounded for templates, but never to 0 if there is a difference. */
function rounded(value: number): number {
  return value > 0 ? Math.max(0.000_001, Math.round(value * 1_000_000) / 1_000_000) : value
}
