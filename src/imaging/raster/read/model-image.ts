/** Images that AI models return, and their conversion to the expected size. */
import type { ModelResponse } from '../../../domain/models/model.ts'
import type { ImageValue, Pixels } from '../../types.ts'
import { type ImageContext, imageFromBytes, imageFromPixels, pixelsOf, sharpOf, toPixels } from '../image.ts'
import { eachRow } from '../rows.ts'

interface Size {
  width: number
  height: number
}

/** The first image; throws if there is none. */
export async function modelImage({ images: [bytes] }: ModelResponse, context: ImageContext): Promise<ImageValue> {
  if (bytes === undefined) throw new Error('The response has no image.')
  return imageFromBytes(bytes, context)
}

/** Maximum share of a side that a conversion may stretch. */
export const shapeTolerance = 0.02

/**
 * Whether stretching one size to the other moves nothing by more than 2 % of a side, or by one pixel of the response.
 */
export function hasShapeOf({ width, height }: Size, wanted: Size): boolean {
  const [long, short] = width > height ? [width, height] : [height, width]
  const [wantedLong, wantedShort] = width > height ? [wanted.width, wanted.height] : [wanted.height, wanted.width]
  return Math.abs(short - (long * wantedShort) / wantedLong) <= Math.max(1, short * shapeTolerance)
}

/** Pixels at this size; throws if the aspect ratio differs. */
export async function pixelsSized(image: ImageValue, wanted: Size, context: ImageContext): Promise<Pixels> {
  if (!hasShapeOf(image, wanted)) throw otherSize(image, wanted)
  const pixels = await pixelsOf(image, context)
  if (pixels.width === wanted.width && pixels.height === wanted.height) return pixels
  return toPixels(context, (await sharpOf(pixels)).resize(wanted.width, wanted.height, { fit: 'fill' }))
}

/** The unchanged image if it already has this size. */
export async function imageSized(image: ImageValue, wanted: Size, context: ImageContext): Promise<ImageValue> {
  if (image.width === wanted.width && image.height === wanted.height) return image
  return imageFromPixels(await pixelsSized(image, wanted, context))
}

/** The alpha of the response as an opaque grey image of this size: white is opaque. Throws if all of it is opaque. */
export async function modelMatte(response: ModelResponse, wanted: Size, context: ImageContext): Promise<Pixels> {
  const image = await modelImage(response, context)
  if (!hasShapeOf(image, wanted)) throw otherSize(image, wanted)
  const { data, width, height, channels } = await pixelsOf(image, context)
  const grey: Pixels = { data: Buffer.allocUnsafe(width * height * 3), width, height, channels: 3 }
  let least = 255
  await eachRow(grey, context, (y) => {
    for (let pixel = y * width; pixel < (y + 1) * width; pixel += 1) {
      const alpha = channels === 4 ? (data[pixel * 4 + 3] as number) : 255
      const to = pixel * 3
      grey.data[to] = alpha
      grey.data[to + 1] = alpha
      grey.data[to + 2] = alpha
      if (alpha < least) least = alpha
    }
  })
  if (least === 255) throw new Error('The response has an opaque image: no background was removed.')
  if (width === wanted.width && height === wanted.height) return grey
  // Scaled like the mattes of local models: without ringing, and without visible pixels from a smaller response.
  return toPixels(
    context,
    (await sharpOf(grey)).resize(wanted.width, wanted.height, { fit: 'fill', kernel: 'mitchell' }),
  )
}

/** Colours at this size, without alpha; throws if the aspect ratio differs, or the response is smaller. */
export async function modelUpscaled(response: ModelResponse, wanted: Size, context: ImageContext): Promise<Pixels> {
  const image = await modelImage(response, context)
  if (image.width < wanted.width * (1 - shapeTolerance)) throw otherSize(image, wanted)
  const pixels = await pixelsSized(image, wanted, context)
  return pixels.channels === 3 ? pixels : toPixels(context, (await sharpOf(pixels)).removeAlpha())
}

export function otherSize(image: Size, wanted: Size): Error {
  return new Error(
    `The response has an image of ${image.width} x ${image.height} pixels instead of ${wanted.width} x ${wanted.height}.`,
  )
}
