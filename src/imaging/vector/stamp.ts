/** The mark on the outputs of test keys: TEST in diagonal rows over the entire image, which keeps its size. */
import { copyPixels } from '../raster/copy.ts'
import { type ImageContext, imageFromPixels, pixelsOf } from '../raster/image.ts'
import { compositeOver } from '../raster/layer/over.ts'
import { mapFrames } from '../raster/read/frames.ts'
import { intersection } from '../raster/region.ts'
import { turned } from '../raster/shape/rotate.ts'
import type { ImageValue, Pixels } from '../types.ts'
import { labelPixels } from './label.ts'

/** Height of the letters, as a share of the shorter side. */
const letterShare = 0.12
const letterPixelsMin = 8
const opacity = 0.45

/** Each frame of an animation gets the mark. */
export async function stamped(image: ImageValue, context: ImageContext): Promise<ImageValue> {
  const mark = await markOf(Math.min(image.width, image.height), context)
  if (mark === undefined) return image
  const { metadata, origin, madeFrom } = image
  const stamp = async (frame: ImageValue) =>
    imageFromPixels(await stampedPixels(await pixelsOf(frame, context), mark, context))
  return {
    ...(await mapFrames(image, context, stamp)),
    ...(metadata && { metadata }),
    ...(origin && { origin }),
    ...(madeFrom && { madeFrom }),
  }
}

async function markOf(side: number, context: ImageContext): Promise<Pixels | undefined> {
  const size = Math.max(letterPixelsMin, Math.round(side * letterShare))
  // Readable on any background.
  const shadow = { x: 0, y: 0, blur: size * 0.15, color: 'rgba(0, 0, 0, 0.9)' }
  const label = await labelPixels({ text: 'TEST', font: 'Inter', weight: 700, size, color: 'white', shadow }, context)
  return label && turned(label, -30, context)
}

/** Copies the pixels, which have other readers. Draws mark by mark: a layer of them would need as much memory again. */
async function stampedPixels(pixels: Pixels, mark: Pixels, context: ImageContext): Promise<Pixels> {
  const target = { ...pixels, data: await copyPixels(pixels, context) }
  const [across, down] = [Math.ceil(mark.width * 1.25), mark.height]
  for (let row = 0; row * down < target.height; row += 1) {
    context.signal.throwIfAborted()
    for (let x = row % 2 === 0 ? 0 : -Math.round(across / 2); x < target.width; x += across) {
      const place = { x, y: row * down }
      const region = intersection(
        { ...place, width: mark.width, height: mark.height },
        { x: 0, y: 0, width: target.width, height: target.height },
      )
      if (region) await compositeOver(target, mark, { ...place, opacity }, region)
    }
  }
  return target
}
