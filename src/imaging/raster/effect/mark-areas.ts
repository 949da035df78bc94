/** Makes areas of an image unrecognisable, or frames them. */
import type { Pixels } from '../../types.ts'
import type { Color } from '../color.ts'
import { copyPixels } from '../copy.ts'
import { sharpOf, toPixels } from '../image.ts'
import type { JobContext } from '../jobs.ts'
import { cut, intersection, type Rectangle } from '../region.ts'
import { eachRow } from '../rows.ts'
import { averageBlocks } from './blocks.ts'

export type Cover = 'blur' | 'pixelate'

/** A copy in which the ellipse around each area is blurred or pixelated beyond recognition. Alpha does not change. */
export async function covered(
  pixels: Pixels,
  areas: readonly Rectangle[],
  how: Cover,
  context: JobContext,
): Promise<Pixels> {
  const copy = { ...pixels, data: await copyPixels(pixels, context) }
  for (const area of areas) {
    const around = intersection(grown(area), { x: 0, y: 0, width: pixels.width, height: pixels.height })
    if (around === undefined) continue
    const part = await cut(pixels, around, context)
    const side = Math.max(area.width, area.height)
    const hidden =
      how === 'blur'
        ? await toPixels(context, (await sharpOf(part)).blur(Math.max(1, side / 6)))
        : await averageBlocks(part, { ...around, x: 0, y: 0 }, Math.max(2, Math.ceil(side / 9)), context)
    await mixEllipse(copy, hidden, { around, area: grown(area) }, context)
  }
  return copy
}

/** Includes hair and chin. */
function grown({ x, y, width, height }: Rectangle): Rectangle {
  const [wide, high] = [Math.round(width * 0.2), Math.round(height * 0.2)]
  return { x: x - wide, y: y - high, width: width + 2 * wide, height: height + 2 * high }
}

/** The outer tenth of the ellipse blends with the image. */
async function mixEllipse(
  into: Pixels,
  from: Pixels,
  { around, area }: { around: Rectangle; area: Rectangle },
  context: JobContext,
): Promise<void> {
  await eachRow(around, context, (row) => {
    const dy = (around.y + row + 0.5 - area.y - area.height / 2) / (area.height / 2)
    for (let column = 0; column < around.width; column += 1) {
      const dx = (around.x + column + 0.5 - area.x - area.width / 2) / (area.width / 2)
      const share = Math.min(1, (1 - Math.hypot(dx, dy)) * 10)
      if (share <= 0) continue
      const at = ((around.y + row) * into.width + around.x + column) * into.channels
      const source = (row * around.width + column) * from.channels
      for (let channel = 0; channel < 3; channel += 1) {
        const [old, hidden] = [into.data[at + channel] as number, from.data[source + channel] as number]
        into.data[at + channel] = Math.round(old + (hidden - old) * share)
      }
    }
  })
}

/** A copy with a frame of `line` pixels inside each area, which must lie inside the image. Alpha does not change. */
export async function framed(
  pixels: Pixels,
  areas: readonly Rectangle[],
  { color, line }: { color: Color; line: number },
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const data = await copyPixels(pixels, context)
  const channels = [color.r, color.g, color.b]
  for (const { x, y, width, height } of areas) {
    for (let row = 0; row < height; row += 1) {
      const isEdge = row < line || row >= height - line
      for (let column = 0; column < width; column += 1) {
        // Jumps to the opposite side.
        if (!isEdge && column === line && width > 2 * line) column = width - line
        const at = ((y + row) * pixels.width + x + column) * pixels.channels
        for (const [channel, value] of channels.entries()) {
          const old = data[at + channel] as number
          data[at + channel] = Math.round(old + (value - old) * color.alpha)
        }
      }
    }
  }
  return { ...pixels, data }
}
