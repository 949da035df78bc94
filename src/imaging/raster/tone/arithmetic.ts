/** Colour arithmetic in one pass, rounded to the nearest; libvips would truncate. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import type { Matrix } from './matrix.ts'

export interface Arithmetic {
  /** The value of each of the 256 levels before mixing, 0 to 255. */
  before: Float64Array
  matrix: Matrix
  /** Added to every channel afterwards, out of 255. */
  offset: number
}

/** Alpha does not change. */
export async function applyArithmetic(
  pixels: Pixels,
  { before, matrix, offset }: Arithmetic,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { data: from, width, channels } = pixels
  const data = Buffer.allocUnsafe(from.length)
  // Rounds and clips to 0 and 255.
  const to = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length)
  const [[rr, rg, rb], [gr, gg, gb], [br, bg, bb]] = matrix
  await eachRow(pixels, context, (y) => {
    const end = (y + 1) * width * channels
    for (let at = y * width * channels; at < end; at += channels) {
      const red = before[from[at] as number] as number
      const green = before[from[at + 1] as number] as number
      const blue = before[from[at + 2] as number] as number
      to[at] = rr * red + rg * green + rb * blue + offset
      to[at + 1] = gr * red + gg * green + gb * blue + offset
      to[at + 2] = br * red + bg * green + bb * blue + offset
      if (channels === 4) data[at + 3] = from[at + 3] as number
    }
  })
  return { ...pixels, data }
}
