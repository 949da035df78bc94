/** Extracts lines of text from an image as horizontal strips. */

import type { JobContext } from '../imaging/raster/jobs.ts'
import { eachRow } from '../imaging/raster/rows.ts'
import type { Pixels } from '../imaging/types.ts'
import type { ModelImage } from './define-model.ts'
import type { Slanted } from './slanted.ts'

/** Input of the recognition model: strips of this height, with grey after short lines. */
const lineHeight = 48
const lineWidthMin = 320
const lineWidthMax = 4_096

/** A line as a horizontal strip. Lines much taller than wide run from top to bottom. */
export async function straightenLine(
  pixels: Pixels,
  region: Slanted,
  context: JobContext,
): Promise<{ strip: ModelImage; length: number }> {
  const { center, along } = region
  const isUpright = region.height >= region.width * 1.5
  const [u, v] = isUpright
    ? [
        { x: -along.y, y: along.x },
        { x: -along.x, y: -along.y },
      ]
    : [along, { x: -along.y, y: along.x }]
  const [length, thickness] = isUpright ? [region.height, region.width] : [region.width, region.height]
  const wide = Math.max(1, Math.min(lineWidthMax, Math.round((lineHeight * length) / thickness)))
  const width = Math.max(lineWidthMin, wide)
  const data = new Uint8Array(width * lineHeight * 3).fill(127)
  // For large lines, each pixel is a mean of several, so that thin strokes are kept.
  const samples = Math.max(1, Math.min(4, Math.round(thickness / lineHeight)))
  // A sample costs about ten pixels of ordinary work.
  await eachRow({ width: wide * samples ** 2 * 10, height: lineHeight }, context, (y) => {
    for (let x = 0; x < wide; x += 1) {
      const sums = [0, 0, 0]
      for (let sample = 0; sample < samples * samples; sample += 1) {
        const [across, down] = [(sample % samples) + 0.5, Math.floor(sample / samples) + 0.5]
        const a = ((x + across / samples) / wide - 0.5) * length
        const b = ((y + down / samples) / lineHeight - 0.5) * thickness
        addAt(pixels, center.x + u.x * a + v.x * b, center.y + u.y * a + v.y * b, sums)
      }
      for (let channel = 0; channel < 3; channel += 1) {
        data[(y * width + x) * 3 + channel] = (sums[channel] as number) / samples ** 2 + 0.5
      }
    }
  })
  return { strip: { data, width, height: lineHeight }, length: wide }
}

/** Bilinear between the surrounding four pixels; edge pixels continue outside. */
function addAt({ data, width, height, channels }: Pixels, x: number, y: number, sums: number[]): void {
  const [left, top] = [Math.max(0, Math.min(width - 1, x - 0.5)), Math.max(0, Math.min(height - 1, y - 0.5))]
  const [x0, y0] = [Math.floor(left), Math.floor(top)]
  const [partX, partY] = [left - x0, top - y0]
  const right = x0 < width - 1 ? channels : 0
  const below = y0 < height - 1 ? width * channels : 0
  const at = (y0 * width + x0) * channels
  for (let channel = 0; channel < 3; channel += 1) {
    const from = at + channel
    const upper = (data[from] as number) * (1 - partX) + (data[from + right] as number) * partX
    const lower = (data[from + below] as number) * (1 - partX) + (data[from + below + right] as number) * partX
    sums[channel] = (sums[channel] as number) + upper * (1 - partY) + lower * partY
  }
}
