/** Animations: frames from bytes, and image values from frames. */
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { Animation, ImageValue, Pixels } from '../../types.ts'
import { decodeStored, type ImageContext, imageFromPixels, runSharp, sharpOf, toPixels } from '../image.ts'
import { mapSome } from '../map-some.ts'
import { loadSharp, sourceOptions } from '../sharp.ts'
import { checkFrames } from '../size.ts'
import { composedFrames } from './animation.ts'
import { composeFrames } from './compose-frames.ts'
import { orient, orientationOf } from './orient.ts'

/** The frames of an animation as displayed, or the single image. Decoded once for all readers. */
export async function framesOf(image: ImageValue, context: ImageContext): Promise<ImageValue[]> {
  const { animation, width, height } = image
  if (animation === undefined) return [image]
  if (animation.frames) return animation.frames
  checkFrames(width, height, animation.delaysMs.length, context.pixelsMax)
  const decoded = decoding.get(animation)
  if (decoded) return decoded
  const work = decode(image, animation, context)
  decoding.set(animation, work)
  try {
    animation.frames = await work
    return animation.frames
  } finally {
    decoding.delete(animation)
  }
}

/** The number of pixels of all frames. */
export function countPixels({ width, height, animation }: ImageValue): number {
  return width * height * (animation?.delaysMs.length ?? 1)
}

/** An image value that plays still images in order; for a single image, that image. */
export function imageFromFrames(
  frames: ImageValue[],
  { delaysMs, loops }: Pick<Animation, 'delaysMs' | 'loops'>,
): ImageValue {
  const [first] = frames
  if (first === undefined || frames.length !== delaysMs.length)
    throw new Error('a delay for each frame, and at least one')
  if (frames.length === 1) return first
  for (const [index, { width, height }] of frames.entries()) {
    if (width === first.width && height === first.height) continue
    throw failure(
      'input_invalid',
      `Frame ${index + 1} is ${width} x ${height}, but the first is ${first.width} x ${first.height}. All frames of an animation must have the same size.`,
    )
  }
  checkFrames(first.width, first.height, frames.length)
  const still = first.pixels ? imageFromPixels(first.pixels) : first
  return { ...still, hasAlpha: frames.some(({ hasAlpha }) => hasAlpha), animation: { delaysMs, loops, frames } }
}

/**
 * Maps each frame. The first frame runs alone, so that an error such as a size limit is thrown before the others use
 * memory.
 */
export async function mapFrames(
  image: ImageValue,
  context: ImageContext,
  work: (frame: ImageValue, index: number) => Promise<ImageValue>,
): Promise<ImageValue> {
  const { animation } = image
  if (animation === undefined) return work(image, 0)
  const [start, ...rest] = await framesOf(image, context)
  if (start === undefined) throw new Error('an animation without frames')
  const first = await work(start, 0)
  checkFrames(first.width, first.height, rest.length + 1, context.pixelsMax)
  const others = await mapSome(rest, context.signal, (frame, at) => work(frame, at + 1))
  return imageFromFrames([first, ...others], animation)
}

const decoding = new WeakMap<Animation, Promise<ImageValue[]>>()

async function decode(
  { format, decodingBytes = 0 }: ImageValue,
  animation: Animation,
  context: ImageContext,
): Promise<ImageValue[]> {
  const { encoded, delaysMs } = animation
  if (encoded === undefined) throw new Error('an animation has neither frames nor bytes')
  const composed = composedFrames(format, encoded)
  const stored =
    composed?.frames.length === delaysMs.length
      ? await composeFrames(composed, (still) => decodeStored(format, still, decodingBytes, context), context)
      : await pagesOf(encoded, delaysMs.length, decodingBytes, context)
  const orientation = await runSharp(context, () => orientationOf(encoded))
  const frames = await mapSome(stored, context.signal, async (pixels) =>
    orientation === 1 ? pixels : toPixels(context, orient(await sharpOf(pixels), orientation)),
  )
  return frames.map((pixels) => ({ ...imageFromPixels(pixels), format }))
}

/** libvips returns all frames as one tall image, each drawn on the rest of the frames before it. */
async function pagesOf(bytes: Buffer, count: number, memoryBytes: number, context: ImageContext): Promise<Pixels[]> {
  const sharp = await loadSharp()
  const all = { ...sourceOptions(limits.animationPixelsMax), pages: -1, autoOrient: false }
  const { data, width, height, channels } = await toPixels(
    context,
    sharp(bytes, all).toColourspace('srgb'),
    memoryBytes,
  )
  const frameHeight = height / count
  if (!Number.isInteger(frameHeight)) throw new Error(`${count} frames are ${height} pixels high`)
  const frameBytes = width * frameHeight * channels
  return Array.from({ length: count }, (_, at) => ({
    data: data.subarray(at * frameBytes, (at + 1) * frameBytes),
    width,
    height: frameHeight,
    channels,
  }))
}
