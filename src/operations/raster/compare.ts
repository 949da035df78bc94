/** Where two pictures of one size differ, and by how much, as it is seen: what is transparent has no colour. */
import type { ImageComparison } from '../../domain/comparison.ts'
import type { Pixels } from '../define.ts'
import { framesOf } from './frames.ts'
import type { JobContext } from './jobs.ts'
import { type ImageContext, pictureOf, pixelsOf, runSharp, sharpOf } from './picture.ts'
import { eachRow } from './rows.ts'

export interface PixelComparison {
  /** Pixels of which a channel differs by more than the tolerance. */
  differing: number
  /** The largest difference of a channel, 0 to 255. */
  maxDifference: number
  /** The mean square of the differences of all channels. */
  meanSquare: number
  /** Differing pixels in red over a pale copy of the first picture. */
  shown: Pixels
}

/** Both must be of one size. A difference up to `tolerance` of each channel counts for none. */
export async function comparePixels(
  a: Pixels,
  b: Pixels,
  tolerance: number,
  context: Pick<JobContext, 'signal'>,
): Promise<PixelComparison> {
  const { width, height } = a
  const shown = { data: Buffer.allocUnsafe(width * height * 3), width, height, channels: 3 as const }
  let [differing, maxDifference, squares] = [0, 0, 0]
  await eachRow(a, context, (y) => {
    for (let pixel = y * width; pixel < (y + 1) * width; pixel += 1) {
      const [fromA, fromB] = [pixel * a.channels, pixel * b.channels]
      const alphaA = a.channels === 4 ? (a.data[fromA + 3] as number) : 255
      const alphaB = b.channels === 4 ? (b.data[fromB + 3] as number) : 255
      let worst = Math.abs(alphaA - alphaB)
      squares += worst * worst
      let luma = 0
      for (let channel = 0; channel < 3; channel += 1) {
        const seen = ((a.data[fromA + channel] as number) * alphaA) / 255
        const delta = Math.abs(seen - ((b.data[fromB + channel] as number) * alphaB) / 255)
        squares += delta * delta
        if (delta > worst) worst = delta
        luma += seen + 255 - alphaA
      }
      if (worst > maxDifference) maxDifference = worst
      const to = pixel * 3
      if (worst > tolerance) {
        differing += 1
        // Small differences are to be seen as well.
        const pale = Math.round(110 * (1 - worst / 255))
        shown.data[to] = 230
        shown.data[to + 1] = pale
        shown.data[to + 2] = pale
      } else shown.data.fill(Math.round(170 + luma / 9), to, to + 3)
    }
  })
  const meanSquare = squares / (width * height * Math.max(a.channels, b.channels))
  return { differing, maxDifference: Math.round(maxDifference), meanSquare, shown }
}

/** Two images, decoded: every frame of an animation. */
export async function compareImages(
  before: Buffer,
  after: Buffer,
  tolerance: number,
  context: ImageContext,
): Promise<ImageComparison> {
  const pictures = [await pictureOf(before, context), await pictureOf(after, context)] as const
  const [a, b] = [await framesOf(pictures[0], context), await framesOf(pictures[1], context)]
  const sameSize =
    pictures[0].width === pictures[1].width && pictures[0].height === pictures[1].height && a.length === b.length
  if (!sameSize) return { sameSize, differing: null, maxDifference: null, psnr: null }
  let worst: PixelComparison | undefined
  let [differing, maxDifference, meanSquare] = [0, 0, 0]
  for (const [at, frame] of a.entries()) {
    const found = await comparePixels(
      await pixelsOf(frame, context),
      await pixelsOf(b[at] ?? frame, context),
      tolerance,
      context,
    )
    if (worst === undefined || found.meanSquare > worst.meanSquare) worst = found
    differing += found.differing
    maxDifference = Math.max(maxDifference, found.maxDifference)
    meanSquare += found.meanSquare / a.length
  }
  const shown = worst?.shown
  return {
    sameSize,
    differing: differing / (pictures[0].width * pictures[0].height * a.length),
    maxDifference,
    psnr: meanSquare === 0 ? null : 10 * Math.log10(255 ** 2 / meanSquare),
    ...(shown && { shown: async () => runSharp(context, async () => (await sharpOf(shown)).png().toBuffer()) }),
  }
}
