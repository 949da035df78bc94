import Type from 'typebox'
import { anchors } from '../../../shared/anchors.ts'
import type { Frame } from '../../../shared/frames.ts'
import { failure } from '../../errors.ts'
import { parseColor } from '../../imaging/raster/color.ts'
import { decideOnce } from '../../imaging/raster/decide-once.ts'
import { cropRegionOf, imageFromPixels, sharpOfSource, toPixels } from '../../imaging/raster/image.ts'
import { enqueueStage } from '../../imaging/raster/pipeline.ts'
import { enlargeToAtLeast } from '../../imaging/raster/shape/enlarge.ts'
import { gainMapOfAll, gainMapOfPart } from '../../imaging/raster/shape/move-gain-map.ts'
import { resizedSize } from '../../imaging/raster/shape/resized-size.ts'
import type { Sharp } from '../../imaging/raster/sharp.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { stages } from '../../imaging/raster/stages.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { areaFrame, sizeFrame } from '../shared/frames.ts'
import { color, pixels } from '../shared/params.ts'

const fits = ['cover', 'contain', 'fill', 'inside', 'outside'] as const
const positions = [...anchors, 'attention', 'entropy'] as const
const kernels = ['nearest', 'linear', 'cubic', 'mitchell', 'lanczos2', 'lanczos3'] as const

export const resize = defineOperation({
  id: 'resize',
  version: 3,
  title: 'Resize',
  summary: 'Resizes the image, and crops or pads it if the aspect ratio changes.',
  keywords: [
    'scale',
    'size',
    'width',
    'height',
    'dimensions',
    'shrink',
    'reduce',
    'enlarge',
    'thumbnail',
    'fit',
    'stretch',
    'aspect ratio',
    'downscale',
  ],
  group: 'geometry',
  inputs: { image: socket.one('The image to resize.') },
  params: Type.Object(
    {
      width: Type.Optional(
        pixels({
          minimum: 1,
          title: 'Width',
          description: 'Width of the result. Default: proportional to the height.',
        }),
      ),
      height: Type.Optional(
        pixels({
          minimum: 1,
          title: 'Height',
          description: 'Height of the result. Default: proportional to the width.',
        }),
      ),
      fit: Type.Enum([...fits], {
        default: 'cover',
        title: 'Fit',
        description:
          'How to fit the image if both width and height are set. cover: fill the size and crop; contain: fit inside and pad with `background`; fill: stretch; inside: largest size that fits, without padding; outside: smallest size that covers, without cropping.',
      }),
      position: Type.Enum([...positions], {
        default: 'center',
        title: 'Position',
        description:
          'Part to keep with cover, and position of the image with contain: a side or corner. With cover also attention (salient area) and entropy (area with the most detail).',
      }),
      background: color({
        default: 'transparent',
        title: 'Background',
        description: 'Colour of the padding with contain.',
      }),
      enlarge: Type.Boolean({
        default: true,
        title: 'Enlarge',
        description: 'Allow the image to become larger. If false, the result can be smaller than requested.',
      }),
      kernel: Type.Enum([...kernels], {
        default: 'lanczos3',
        title: 'Kernel',
        description:
          'Resampling kernel: nearest keeps hard edges (pixel art), lanczos3 is the sharpest for photographs. For enlargement, all kernels except nearest and linear use bicubic (Catmull-Rom).',
        'x-advanced': true,
      }),
    },
    { additionalProperties: false, anyOf: [{ required: ['width'] }, { required: ['height'] }] },
  ),
  outputs: {
    image: 'The resized image.',
    drawn: {
      size: 'The result.',
      kept: 'With `fit: cover`: the part of the input image that is kept. Absent with `attention` and `entropy`.',
      image: 'With `fit: contain`: the image in the result.',
    },
  },
  action: 'c2pa.resized',
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

  drawn(params, { image }, result) {
    if (result === undefined) return []
    const { position } = params
    const fit = fitOf(params)
    const size = scaledSize(image, { ...params, fit })
    const isExact = params.enlarge && (fit === 'cover' || fit === 'contain' || fit === 'fill' || fit !== params.fit)
    const binds: Frame['binds'] = {
      ...(isExact && params.width !== undefined && { width: { param: 'width' } }),
      ...(isExact && params.height !== undefined && { height: { param: 'height' } }),
    }
    const frames: Frame[] = [sizeFrame(result, binds)]
    const x = shareAt(position, 'west', 'east') * (result.width - size.width)
    const y = shareAt(position, 'north', 'south') * (result.height - size.height)
    if (fit === 'contain') {
      frames.unshift(areaFrame('image', 'box', 'result', { x, y, ...size }))
    }
    // The area that attention and entropy keep is known only when the pixels are made, which may be at the end of several steps.
    if (fit === 'cover' && !isContentAware(position)) {
      const [across, down] = [image.width / size.width, image.height / size.height]
      const kept = { x: -x * across, y: -y * down, width: result.width * across, height: result.height * down }
      frames.unshift(areaFrame('kept', 'rect', 'input', kept))
    }
    return frames
  },

  stage: stageOf,

  async run({ image }, params, context) {
    const { position, background, enlarge, kernel } = params
    const wanted = { ...params, fit: fitOf(params) }
    const { fit } = wanted
    checkSize(params.width ?? 1, params.height ?? 1, context.pixelsMax)
    const size = scaledSize(image, wanted)
    checkScaled(size, wanted, context.pixelsMax)
    if (params.fit === 'contain' && isContentAware(position)) {
      throw failure(
        'input_invalid',
        `"position" "${position}" requires \`fit: cover\`. \`fit: contain\` accepts a side or a corner.`,
      )
    }

    // Encoded images are always decoded again, as small as the format allows: cheaper than all pixels, and the same
    // result, independent of other readers of the image. Enlargement comes first, and cropping after it.
    const enlarging = kernel === 'nearest' || kernel === 'linear' ? kernel : 'cubic'
    const source = await enlargeToAtLeast(image, size, enlarging, context)
    const isCut = fit === 'cover' && params.width !== undefined && params.height !== undefined
    const isWhole = !isCut && fit !== 'contain' && source.width === size.width && source.height === size.height
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
    const resize = async (): Promise<ImageValue> => {
      if (isWhole && source !== image) return source
      if (context.decisions && fit === 'cover' && isContentAware(position)) return resizedAlike(source, apply, context)
      const stage = stageOf(params)
      if (stage === undefined || source.animation) return resized(source, apply, context)
      const hasAlpha = source.hasAlpha || stage === stages.resizeInFrame
      const exact =
        fit === 'inside' || fit === 'outside'
          ? resizedSize(source, { ...params, fit })
          : { width: params.width ?? 0, height: params.height ?? 0 }
      return enqueueStage(source, { stage, ...exact, hasAlpha, fromBytes: true, apply }, context)
    }
    const result = await resize()
    if (image.gainMap === undefined) return { image: result }
    if (fit === 'contain' && (result.width !== size.width || result.height !== size.height)) return { image: result }
    if (fit !== 'cover') return { image: { ...result, ...gainMapOfAll(image) } }
    const at = isContentAware(position)
      ? await cropRegionOf(apply(await sharpOfSource(source, context)), context)
      : {
          left: shareAt(position, 'west', 'east') * (size.width - result.width),
          top: shareAt(position, 'north', 'south') * (size.height - result.height),
        }
    const part = { x: at.left, y: at.top, width: result.width, height: result.height }
    return { image: { ...result, ...gainMapOfPart(image, part, size) } }
  },
})

function isContentAware(position: (typeof positions)[number]): boolean {
  return position === 'attention' || position === 'entropy'
}

/** The share of the remaining space before the image, for a compass point. */
function shareAt(position: string, start: string, end: string): number {
  return position.includes(start) ? 0 : position.includes(end) ? 1 : 0.5
}

/**
 * Resizes a frame of an animation: all frames keep the region of the first. Returns the same pixels as `apply` alone.
 */
async function resizedAlike(
  image: ImageValue,
  apply: (sharp: Sharp, how?: 'outside') => Sharp,
  context: OperationContext,
): Promise<ImageValue> {
  const source = await sharpOfSource(image, context)
  const region = await decideOnce(context, 'place', () => cropRegionOf(apply(source.clone()), context))
  return imageFromPixels(await toPixels(context, apply(source, 'outside').extract(region)))
}

/**
 * The stage of a resize whose size is known before anything is decoded: without cropping or padding, or with both sides. Not for
 * nearest: between two equally near pixels, the choice of libvips depends on the regions that later stages request.
 */
function stageOf(params: SizeParams & { background: string; kernel: string }) {
  if (params.kernel === 'nearest') return undefined
  const fit = fitOf(params)
  if (fit === 'inside' || fit === 'outside') return stages.resize
  if (!params.enlarge) return undefined
  return fit === 'contain' && parseColor(params.background).alpha < 1 ? stages.resizeInFrame : stages.resize
}

/** The fit; with one side, the other one is proportional. */
function fitOf({ width, height, fit }: SizeParams): SizeParams['fit'] {
  return width === undefined || height === undefined ? 'inside' : fit
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

/** The size of the entire image after scaling, before cropping or padding. */
function scaledSize(image: Size, { width, height, fit, enlarge }: SizeParams): Size {
  const across = width === undefined ? undefined : width / image.width
  const down = height === undefined ? undefined : height / image.height
  const scale = across ?? down ?? 1
  let [x, y] = [across ?? scale, down ?? scale]
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
      `To cover ${width} x ${height}, the image would first be resized to ${size.width} x ${size.height} pixels; the maximum is ${pixelsMax} pixels. Set another "fit", or crop the image first.`,
    )
  }
}

/** sharp has different names for the compass points of resize. */
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
