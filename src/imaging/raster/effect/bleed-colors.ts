/** Colours for transparent pixels, taken from their neighbours, for filters that read the neighbours of a pixel. */
import type { ImagingContext, Pixels } from '../../types.ts'
import { sharpOf, toPixels } from '../image.ts'
import { eachRow } from '../rows.ts'

/**
 * Returns an opaque image in which visible colours are unchanged, however faint, and extend into transparent areas as
 * far as a blur of `sigma` reaches. Without it, edges next to transparent pixels would become dark or bright.
 */
export async function bleedColors(pixels: Pixels, sigma: number, context: ImagingContext): Promise<Pixels> {
  const source = await sharpOf(pixels)
  const colors = await toPixels(context, source.blur(sigma).removeAlpha())
  const { data: from, width } = pixels
  // No other reader.
  const { data } = colors
  await eachRow(pixels, context, (y) => {
    for (let x = 0, at = y * width * 4, to = y * width * 3; x < width; x += 1, at += 4, to += 3) {
      if (from[at + 3] === 0) continue
      data[to] = from[at] as number
      data[to + 1] = from[at + 1] as number
      data[to + 2] = from[at + 2] as number
    }
  })
  return colors
}
