/**
 * Enlarges images. sharp's resize shifts enlarged images by half a pixel of the result to the lower right
 * (github.com/libvips/libvips/issues/4841); affine with the same interpolation puts every pixel at its centre.
 */
import type { ImageValue, Pixels } from '../../types.ts'
import { type ImageContext, imageFromPixels, pixelsOf, sharpOf, toPixels } from '../image.ts'
import type { JobContext } from '../jobs.ts'
import { isDrawing, renderAgain } from '../read/drawn.ts'
import { cut } from '../region.ts'
import { eachRow } from '../rows.ts'

/** Number of pixels beyond the edge that the interpolation reads; edge pixels are repeated there. */
const rim = 3

/**
 * Enlarges the image to `size`; sides that are already larger do not change. Drawings are rendered again, pixels are
 * interpolated.
 */
export async function enlargeToAtLeast(
  image: ImageValue,
  size: { width: number; height: number },
  kernel: 'nearest' | 'linear' | 'cubic',
  context: ImageContext,
): Promise<ImageValue> {
  const { encoded, format, width, height } = image
  const larger = { width: Math.max(size.width, width), height: Math.max(size.height, height) }
  if (larger.width === width && larger.height === height) return image
  if (encoded && isDrawing(format)) {
    return imageFromPixels(await renderAgain(image, Math.max(size.width / width, size.height / height), context))
  }
  // nearest copies whole pixels, which sharp does not shift.
  if (kernel === 'nearest') return image
  const interpolator = kernel === 'linear' ? 'bilinear' : 'bicubic'
  return imageFromPixels(await enlarged(await pixelsOf(image, context), larger, interpolator, context))
}

/** Enlarges to at least its own size. `interpolator`: bicubic is Catmull-Rom. */
async function enlarged(
  pixels: Pixels,
  { width, height }: { width: number; height: number },
  interpolator: 'bilinear' | 'bicubic',
  context: JobContext,
): Promise<Pixels> {
  const [across, down] = [along(pixels.width, width), along(pixels.height, height)]
  const source = await sharpOf(await withRim(pixels, context))
  source.affine(
    [
      [across.scale, 0],
      [0, down.scale],
    ],
    { idx: across.shift, idy: down.shift, interpolator },
  )
  return cut(await toPixels(context, source), { x: across.start, y: down.start, width, height }, context)
}

/**
 * The centre of pixel t of the result is at (t + 1/2) / scale - 1/2 of the source; affine reads at x / scale - shift.
 * `start` is the first pixel of the result without the edge, and the shift compensates for its rounding.
 */
function along(from: number, to: number) {
  const scale = to / from
  const start = Math.round(rim * scale)
  return { scale, start, shift: (start - 0.5) / scale + 0.5 - rim }
}

async function withRim({ data: from, width, height, channels }: Pixels, context: JobContext): Promise<Pixels> {
  const wide = width + 2 * rim
  const data = Buffer.allocUnsafe(wide * (height + 2 * rim) * channels)
  await eachRow({ width: wide, height: height + 2 * rim }, context, (y) => {
    const row = Math.max(0, Math.min(height - 1, y - rim)) * width * channels
    const to = y * wide * channels
    const last = row + (width - 1) * channels
    from.copy(data, to + rim * channels, row, last + channels)
    for (let x = 0; x < rim; x += 1) {
      from.copy(data, to + x * channels, row, row + channels)
      from.copy(data, to + (rim + width + x) * channels, last, last + channels)
    }
  })
  return { data, width: wide, height: height + 2 * rim, channels }
}
