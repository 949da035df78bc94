import Type from 'typebox'
import { failure } from '../../errors.ts'
import { parseColor } from '../../imaging/raster/color.ts'
import { decideOnce } from '../../imaging/raster/decide-once.ts'
import { cropRegionOf, imageFromPixels, sharpOfSource, toPixels } from '../../imaging/raster/image.ts'
import { enqueueStage } from '../../imaging/raster/pipeline.ts'
import { enlargeToAtLeast } from '../../imaging/raster/shape/enlarge.ts'
import type { Sharp } from '../../imaging/raster/sharp.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { stages } from '../../imaging/raster/stages.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { anchors, color, pixels } from '../shared/params.ts'

const fits = ['cover', 'contain', 'fill', 'inside', 'outside'] as const
const positions = [...anchors, 'attention', 'entropy'] as const
const kernels = ['nearest', 'linear', 'cubic', 'mitchell', 'lanczos2', 'lanczos3'] as const

export const resize = defineOperation({
  id: 'resize',
  version: 2,
  title: 'Resize',
  summary: 'Makes the image larger or smaller, and cuts or fills it where its shape changes.',
  group: 'geometry',
  inputs: { image: socket.one('The image to resize.') },
  params: Type.Object(
    {
      width: Type.Optional(
        pixels({ minimum: 1, title: 'Width', description: 'New width. Left out: follows from the height.' }),
      ),
      height: Type.Optional(
        pixels({ minimum: 1, title: 'Height', description: 'New height. Left out: follows from the width.' }),
      ),
      fit: Type.Enum([...fits], {
        default: 'cover',
        title: 'Fit',
        description:
          'When both width and height are given. cover: fills the size and cuts what is over; contain: fits inside and fills the rest with `background`; fill: stretches; inside: as large as fits, without filling; outside: as small as covers, without cutting.',
      }),
      position: Type.Enum([...positions], {
        default: 'center',
        title: 'Position',
        description:
          'What cover keeps, and where contain puts the image: a side or corner; for cover also attention (the part that draws the eye) and entropy (the busiest part).',
      }),
      background: color({
        default: 'transparent',
        title: 'Background',
        description: 'What contain fills the rest with.',
      }),
      enlarge: Type.Boolean({
        default: true,
        title: 'Enlarge',
        description: 'Whether the image may become larger than it is. When not, the result may be smaller than asked.',
      }),
      kernel: Type.Enum([...kernels], {
        default: 'lanczos3',
        title: 'Kernel',
        description:
          'How pixels are mixed: nearest keeps hard edges (pixel art), lanczos3 is the sharpest for photographs. Larger pictures are bicubic (Catmull-Rom) by all but nearest and linear.',
        'x-advanced': true,
      }),
    },
    { additionalProperties: false, anyOf: [{ required: ['width'] }, { required: ['height'] }] },
  ),
  outputs: { image: 'The resized image.' },
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'cover', inputs: { image: 'coffee.jpg' }, params: { width: 160, height: 160 } },
    { name: 'by width', inputs: { image: 'coffee.jpg' }, params: { width: 120 } },
    {
      name: 'contain',
      inputs: { image: 'coffee.jpg' },
      params: { width: 160, height: 160, fit: 'contain', background: '#f8f9fa' },
    },
    { name: 'attention', inputs: { image: 'coffee.jpg' }, params: { width: 80, height: 160, position: 'attention' } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { width: 100 } },
    { name: 'a drawing larger', inputs: { image: 'mark.svg' }, params: { width: 200 } },
  ],

  stage: stageOf,

  async run({ image }, params, context) {
    const { fit, position, background, enlarge, kernel } = params
    checkSize(params.width ?? 1, params.height ?? 1, context.pixelsMax)
    const size = scaledSize(image, params)
    checkScaled(size, params, context.pixelsMax)
    if (fit === 'contain' && (position === 'attention' || position === 'entropy')) {
      throw failure('input_invalid', `position "${position}" is for fit "cover"; contain takes a side or corner.`)
    }

    // An encoded image is always decoded anew, as small as its format can: cheaper than all of its pixels, and the same
    // whatever else uses the image. What becomes larger is enlarged first, and what is over is cut from that.
    const enlarging = kernel === 'nearest' || kernel === 'linear' ? kernel : 'cubic'
    const source = await enlargeToAtLeast(image, size, enlarging, context)
    const isCut = fit === 'cover' && params.width !== undefined && params.height !== undefined
    const isWhole = !isCut && fit !== 'contain' && source.width === size.width && source.height === size.height
    if (isWhole && source !== image) return { image: source }
    const apply = (sharp: Sharp, how = fit) =>
      sharp.resize({
        ...(params.width === undefined ? {} : { width: params.width }),
        ...(params.height === undefined ? {} : { height: params.height }),
        fit: how,
        position: sharpPosition(position),
        background: parseColor(background),
        withoutEnlargement: !enlarge,
        kernel,
      })
    if (context.decisions && fit === 'cover' && (position === 'attention' || position === 'entropy')) {
      return { image: await resizedAlike(source, apply, context) }
    }
    const stage = stageOf(params)
    if (stage === undefined) return { image: await resized(source, apply, context) }
    const hasAlpha = source.hasAlpha || stage === stages.resizeInFrame
    const exact = { width: params.width ?? 0, height: params.height ?? 0 }
    return { image: await enqueueStage(source, { stage, ...exact, hasAlpha, fromBytes: true, apply }, context) }
  },
})

/** A frame of an animation: what the first one keeps, all keep. The same pixels as by `apply` alone. */
async function resizedAlike(
  image: ImageValue,
  apply: (sharp: Sharp, how?: 'outside') => Sharp,
  context: OperationContext,
): Promise<ImageValue> {
  const source = await sharpOfSource(image, context)
  const place = await decideOnce(context, 'place', () => cropRegionOf(apply(source.clone()), context))
  return imageFromPixels(await toPixels(context, apply(source, 'outside').extract(place)))
}

/**
 * Of one that always comes out in the very size that is asked for. Not of nearest: of two that are as near, libvips takes
 * one or the other as the regions lie that what follows asks for.
 */
function stageOf({
  width,
  height,
  fit,
  enlarge,
  background,
  kernel,
}: SizeParams & { background: string; kernel: string }) {
  if (kernel === 'nearest') return undefined
  if (width === undefined || height === undefined || !enlarge || fit === 'inside' || fit === 'outside') return undefined
  return fit === 'contain' && parseColor(background).alpha < 1 ? stages.resizeInFrame : stages.resize
}

async function resized(
  image: ImageValue,
  apply: (sharp: Sharp) => Sharp,
  context: OperationContext,
): Promise<ImageValue> {
  const source = await sharpOfSource(image, context)
  return imageFromPixels(await toPixels(context, apply(source)))
}

interface Size {
  width: number
  height: number
}

/** The size of the whole image after scaling, before anything is cut or filled. */
function scaledSize(image: Size, { width, height, fit, enlarge }: SizeParams): Size {
  const across = width === undefined ? undefined : width / image.width
  const down = height === undefined ? undefined : height / image.height
  const one = across ?? down ?? 1
  let [x, y] = [across ?? one, down ?? one]
  if (fit === 'cover' || fit === 'outside') x = y = Math.max(x, y)
  if (fit === 'contain' || fit === 'inside') x = y = Math.min(x, y)
  if (!enlarge) [x, y] = [Math.min(x, 1), Math.min(y, 1)]
  return { width: Math.max(1, Math.round(image.width * x)), height: Math.max(1, Math.round(image.height * y)) }
}

interface SizeParams {
  width?: number
  height?: number
  fit: (typeof fits)[number]
  enlarge: boolean
}

function checkScaled(size: Size, { width, height, fit }: SizeParams, pixelsMax: number): void {
  const isCut = fit === 'cover' && width !== undefined && height !== undefined
  if (!isCut) checkSize(size.width, size.height, pixelsMax)
  else if (size.width * size.height > pixelsMax) {
    throw failure(
      'limit_exceeded',
      `To cover ${width} x ${height} the image would first become ${size.width} x ${size.height} pixels; at most ${pixelsMax} are allowed.`,
    )
  }
}

/** sharp has its own words for the compass points of resize. */
function sharpPosition(position: (typeof positions)[number]): string {
  const words: Record<string, string> = {
    center: 'centre',
    north: 'top',
    'north-east': 'right top',
    east: 'right',
    'south-east': 'right bottom',
    south: 'bottom',
    'south-west': 'left bottom',
    west: 'left',
    'north-west': 'left top',
  }
  return words[position] ?? position
}
