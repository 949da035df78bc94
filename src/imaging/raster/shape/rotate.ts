import type { Pixels } from '../../types.ts'
import { type ImageContext, imageFromPixels, sharpOf, toPixels } from '../image.ts'
import { checkSize } from '../size.ts'
import { inverse, type Quad, toQuad } from './quad.ts'
import { warpQuad } from './warp.ts'

/**
 * Rotates clockwise, on a transparent background, in the size that fits. Bicubic, which is visibly sharper for text
 * and logos than the rotation of libvips.
 */
export async function turned(pixels: Pixels, angle: number, context: ImageContext): Promise<Pixels> {
  if (angle % 360 === 0) return pixels
  if (angle % 90 === 0) return toPixels(context, (await sharpOf(pixels)).rotate(angle))
  const { width: across, height: down } = pixels
  const [sin, cos] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)]
  const width = Math.ceil(across * Math.abs(cos) + down * Math.abs(sin))
  const height = Math.ceil(across * Math.abs(sin) + down * Math.abs(cos))
  checkSize(width, height, context.pixelsMax)
  const corner = (x: number, y: number) => ({ x: width / 2 + x * cos - y * sin, y: height / 2 + x * sin + y * cos })
  const [x, y] = [across / 2, down / 2]
  const shown: Quad = [corner(-x, -y), corner(x, -y), corner(x, y), corner(-x, y)]
  return warpQuad(
    imageFromPixels(pixels),
    { toSource: inverse(toQuad(across, down, shown)), shown, width, height },
    context,
  )
}
