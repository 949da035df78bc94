/** Distinguishes flat graphics (screenshots, charts, logos, text) from photos, which have noise in every pixel. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'

/** Rows are compared in full, and few enough that a large image takes a few milliseconds. */
const rowsMax = 256
const colorsMax = 4_096
/** Photos have below 0.2, except for white backgrounds. */
const equalShareMin = 0.5

/** Whether most pixels are equal to their left or upper neighbour, and the image has few colors. Alpha is one of them. */
export async function isFlat(
  { data, width, height, channels }: Pixels,
  context: Pick<JobContext, 'signal'>,
): Promise<boolean> {
  const step = Math.max(1, Math.ceil(height / rowsMax))
  const rows = Math.floor((height - 1) / step) + 1
  const colors = new Set<number>()
  let [equal, compared] = [0, 0]
  const colorAt = (at: number) =>
    channels === 3 ? data.readUIntBE(at, 3) : data[at + 3] === 0 ? -1 : data.readUInt32BE(at)
  await eachRow({ width, height: rows }, context, (row) => {
    const start = row * step * width * channels
    const above = row === 0 ? undefined : start - width * channels
    for (let x = 0; x < width; x += 1) {
      const at = start + x * channels
      const color = colorAt(at)
      if (colors.size <= colorsMax) colors.add(color)
      const isEqual =
        (x > 0 && color === colorAt(at - channels)) || (above !== undefined && color === colorAt(above + x * channels))
      if (isEqual) equal += 1
      compared += 1
    }
  })
  return colors.size <= colorsMax && equal >= compared * equalShareMin
}
