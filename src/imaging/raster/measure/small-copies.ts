/** Small copies of two images in the same size, for fast comparison. */
import type { ImageValue, Pixels } from '../../types.ts'
import type { ImageContext } from '../image.ts'
import { windowSide } from './ssim.ts'
import { thumbnailOf } from './thumbnail.ts'

/** Pixels of the shorter side for structural comparison, as the authors of SSIM recommend for images on a screen. */
const shorterSide = 256
/** Limits the work for very wide images. */
const longerSide = 1_024
/** Both in the aspect ratio of the first, flattened onto the background. */
export async function smallCopies(
  image: ImageValue,
  reference: ImageValue,
  background: string,
  context: ImageContext,
): Promise<[Pixels, Pixels]> {
  const options = { ...commonSize(image, reference), fit: 'fill', background } as const
  return [await thumbnailOf(image, options, context), await thumbnailOf(reference, options, context)]
}

/** The aspect ratio of the image; no larger than either image, unless the window of SSIM would not fit. */
function commonSize(image: ImageValue, reference: ImageValue): { width: number; height: number } {
  const { width, height } = image
  const scale = Math.min(
    1,
    reference.width / width,
    reference.height / height,
    shorterSide / Math.min(width, height),
    longerSide / Math.max(width, height),
  )
  const side = (length: number) => Math.max(windowSide, Math.round(length * scale))
  return { width: side(width), height: side(height) }
}
