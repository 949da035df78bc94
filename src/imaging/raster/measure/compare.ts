/** Differences between two images of the same size, as visible: transparent pixels have no colour. */
import type { ImageComparison } from '../../../domain/images/comparison.ts'
import type { ImageValue, Pixels } from '../../types.ts'
import { type ImageContext, imageFromBytes, pixelsOf, runSharp, sharpOf } from '../image.ts'
import type { JobContext } from '../jobs.ts'
import { framesOf } from '../read/frames.ts'
import { eachRow } from '../rows.ts'

export interface PixelComparison {
  /** Number of pixels with a channel that differs by more than the tolerance. */
  differing: number
  /** The largest difference of a channel, 0 to 255. */
  maxDifference: number
  /** The mean square of the differences of all channels. */
  meanSquare: number
}

/** Both must have the same size. Differences up to `tolerance` per channel are ignored. */
export async function comparePixels(
  a: Pixels,
  b: Pixels,
  tolerance: number,
  context: Pick<JobContext, 'signal'>,
): Promise<PixelComparison> {
  const { width, height } = a
  const deltas = new Float64Array(4)
  let [differing, maxDifference, squares] = [0, 0, 0]
  await eachRow(a, context, (y) => {
    for (let pixel = y * width; pixel < (y + 1) * width; pixel += 1) {
      if (!readDeltas(a, b, pixel, deltas)) continue
      let worst = 0
      for (let channel = 0; channel < 4; channel += 1) {
        const delta = deltas[channel] as number
        squares += delta * delta
        if (delta > worst) worst = delta
      }
      if (worst > maxDifference) maxDifference = worst
      if (worst > tolerance) differing += 1
    }
  })
  const meanSquare = squares / (width * height * Math.max(a.channels, b.channels))
  return { differing, maxDifference: Math.round(maxDifference), meanSquare }
}

/** Differing pixels in red over a pale copy of the first image. */
export async function differenceImage(
  a: Pixels,
  b: Pixels,
  tolerance: number,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { width, height, channels } = a
  const data = Buffer.allocUnsafe(width * height * 3)
  const deltas = new Float64Array(4)
  await eachRow(a, context, (y) => {
    for (let pixel = y * width; pixel < (y + 1) * width; pixel += 1) {
      const worst = readDeltas(a, b, pixel, deltas) ? Math.max(...deltas) : 0
      if (worst > tolerance) {
        data[pixel * 3] = 230
        // Keeps small differences visible.
        data.fill(Math.round(110 * (1 - worst / 255)), pixel * 3 + 1, pixel * 3 + 3)
      } else {
        const at = pixel * channels
        const alpha = channels === 4 ? (a.data[at + 3] as number) / 255 : 1
        const mean = ((a.data[at] as number) + (a.data[at + 1] as number) + (a.data[at + 2] as number)) / 3
        data.fill(Math.round(170 + (mean * alpha + 255 * (1 - alpha)) / 3), pixel * 3, pixel * 3 + 3)
      }
    }
  })
  return { data, width, height, channels: 3 }
}

/** The differences of red, green, blue (weighted by alpha) and alpha; false if there are none. */
function readDeltas(a: Pixels, b: Pixels, pixel: number, deltas: Float64Array): boolean {
  const atA = pixel * a.channels
  const atB = pixel * b.channels
  const alphaA = a.channels === 4 ? (a.data[atA + 3] as number) : 255
  const alphaB = b.channels === 4 ? (b.data[atB + 3] as number) : 255
  let differs = alphaA !== alphaB
  for (let channel = 0; channel < 3; channel += 1) {
    const valueA = a.data[atA + channel] as number
    const valueB = b.data[atB + channel] as number
    differs ||= valueA !== valueB
    deltas[channel] = Math.abs(valueA * alphaA - valueB * alphaB) / 255
  }
  deltas[3] = Math.abs(alphaA - alphaB)
  return differs
}

/** Compares two decoded images, every frame of an animation. */
export async function compareImages(
  before: Buffer,
  after: Buffer,
  tolerance: number,
  context: ImageContext,
): Promise<ImageComparison> {
  const images = [await imageFromBytes(before, context), await imageFromBytes(after, context)] as const
  const [firstSize, secondSize] = images.map(sizeOf)
  const isSame = firstSize?.every((value, index) => value === secondSize?.[index])
  if (firstSize === undefined || !isSame) return { sameSize: false, differing: null, maxDifference: null, psnr: null }
  const [width, height, count] = firstSize
  const release = await context.reserve?.(2 * width * height * count * 4, context.signal)
  try {
    return await compareFrames(images, tolerance, context)
  } finally {
    release?.()
  }
}

type Size = readonly [width: number, height: number, frames: number]

/** Size from the header. */
function sizeOf({ width, height, animation }: ImageValue): Size {
  return [width, height, animation?.delaysMs.length ?? 1]
}

async function compareFrames(
  images: readonly [ImageValue, ImageValue],
  tolerance: number,
  context: ImageContext,
): Promise<ImageComparison> {
  const [a, b] = [await framesOf(images[0], context), await framesOf(images[1], context)]
  let worst: { squares: number; frames: [Pixels, Pixels] } | undefined
  let [differing, maxDifference, meanSquare] = [0, 0, 0]
  for (const [at, frame] of a.entries()) {
    const frames: [Pixels, Pixels] = [await pixelsOf(frame, context), await pixelsOf(b[at] ?? frame, context)]
    const found = await comparePixels(...frames, tolerance, context)
    if (worst === undefined || found.meanSquare > worst.squares) worst = { squares: found.meanSquare, frames }
    differing += found.differing
    maxDifference = Math.max(maxDifference, found.maxDifference)
    meanSquare += found.meanSquare / a.length
  }
  const shown = async ([first, second]: [Pixels, Pixels]) => {
    const image = await sharpOf(await differenceImage(first, second, tolerance, context))
    return runSharp(context, () => image.png().toBuffer())
  }
  return {
    sameSize: true,
    differing: differing / (images[0].width * images[0].height * a.length),
    maxDifference,
    psnr: meanSquare === 0 ? null : 10 * Math.log10(255 ** 2 / meanSquare),
    ...(worst && { differenceImage: shown.bind(undefined, worst.frames) }),
  }
}
