/** Mosaics: each square has the mean colour of its area. */
import type { Pixels } from '../../types.ts'
import { copyPixels } from '../copy.ts'
import type { JobContext } from '../jobs.ts'
import type { Rectangle } from '../region.ts'
import { eachRow } from '../rows.ts'

/**
 * A copy with squares in the area, starting at its top left corner; squares at the other edges may be smaller.
 * Colours are averaged premultiplied.
 */
export async function averageBlocks(
  pixels: Pixels,
  area: Rectangle,
  size: number,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { width, channels } = pixels
  const data = await copyPixels(pixels, context)
  const columns = Math.ceil(area.width / size)
  const sums = new Float64Array(columns * 4)
  const line = Buffer.alloc(area.width * channels)
  await eachRow(area, context, (row) => {
    const at = ((area.y + row) * width + area.x) * channels
    addRow(sums, data, at, area.width, channels, size)
    const isLast = row % size === size - 1 || row === area.height - 1
    if (!isLast) return
    const rows = (row % size) + 1
    writeLine(line, sums, area.width, channels, size, rows)
    for (let back = 0; back < rows; back += 1) line.copy(data, at - back * width * channels)
    sums.fill(0)
  })
  return { ...pixels, data }
}

/** Sums of red, green and blue times alpha, and of alpha, for each square of a row of squares. */
function addRow(sums: Float64Array, data: Buffer, start: number, width: number, channels: number, size: number): void {
  for (let left = 0, sum = 0, at = start; left < width; left += size, sum += 4) {
    let red = 0
    let green = 0
    let blue = 0
    let alphas = 0
    for (const end = at + Math.min(size, width - left) * channels; at < end; at += channels) {
      const alpha = channels === 4 ? (data[at + 3] as number) : 1
      red += (data[at] as number) * alpha
      green += (data[at + 1] as number) * alpha
      blue += (data[at + 2] as number) * alpha
      alphas += alpha
    }
    sums[sum] = (sums[sum] as number) + red
    sums[sum + 1] = (sums[sum + 1] as number) + green
    sums[sum + 2] = (sums[sum + 2] as number) + blue
    sums[sum + 3] = (sums[sum + 3] as number) + alphas
  }
}

function writeLine(
  line: Buffer,
  sums: Float64Array,
  width: number,
  channels: number,
  size: number,
  rows: number,
): void {
  for (let left = 0, sum = 0; left < width; left += size, sum += 4) {
    const count = Math.min(size, width - left)
    const alphas = sums[sum + 3] as number
    const share = alphas === 0 ? 0 : 1 / alphas
    const red = (sums[sum] as number) * share + 0.5
    const green = (sums[sum + 1] as number) * share + 0.5
    const blue = (sums[sum + 2] as number) * share + 0.5
    const alpha = alphas / (count * rows) + 0.5
    for (let at = left * channels; at < (left + count) * channels; at += channels) {
      line[at] = red
      line[at + 1] = green
      line[at + 2] = blue
      if (channels === 4) line[at + 3] = alpha
    }
  }
}
