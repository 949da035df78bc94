/** Smaller images of an output, and the placeholder for the time until they are loaded. */
import type { ImageValue } from '../../types.ts'
import { type ImageContext, imageFromPixels, pixelsOf, sharpOf, toPixels } from '../image.ts'
import { encodeBlurhash } from '../measure/blurhash.ts'
import { clustersOf } from '../measure/clusters.ts'
import { thumbnailOf } from '../measure/thumbnail.ts'
import { mapFrames } from '../read/frames.ts'
import { gainMapOfAll } from '../shape/move-gain-map.ts'

/**
 * The image with this width, which must not be larger, and the proportional height. Always from all pixels: they are decoded once for
 * all widths, and a file doesn't depend on the others.
 */
export async function scaleToWidth(image: ImageValue, width: number, context: ImageContext): Promise<ImageValue> {
  if (width === image.width) return image
  const scaled = await mapFrames(image, context, async (frame) => {
    const resized = (await sharpOf(await pixelsOf(frame, context))).resize({ width })
    return imageFromPixels(await toPixels(context, resized))
  })
  const { metadata, origin, madeFrom } = image
  const facts = { ...(metadata && { metadata }), ...(origin && { origin }), ...(madeFrom && { madeFrom }) }
  return { ...scaled, ...gainMapOfAll(image), ...facts }
}

/** Pixels of the longer side: more don't change the result visibly. */
const placeholderSide = 64
const components = { across: 4, down: 3 }
/** Number of clusters, of which the largest is the dominant colour. */
const clusters = 5

/** The dominant colour as `#rrggbb`, and a BlurHash, on white. */
export async function placeholderOf(
  image: ImageValue,
  context: ImageContext,
): Promise<{ color: string; blurhash: string }> {
  const size = { width: placeholderSide, height: placeholderSide }
  const small = await thumbnailOf(image, { ...size, fit: 'inside', background: 'white' }, context)
  const [dominant] = clustersOf(small, clusters)
  const [across, down] =
    image.width >= image.height ? [components.across, components.down] : [components.down, components.across]
  return { color: hexOf(dominant?.rgb ?? [255, 255, 255]), blurhash: encodeBlurhash(small, across, down) }
}

function hexOf(rgb: readonly number[]): string {
  return `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
}
