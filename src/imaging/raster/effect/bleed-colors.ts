/** What is transparent has no colour: for whatever looks at the neighbours of a pixel, it is given that of its own neighbours. */
import type { ImagingContext, Pixels } from '../../types.ts'
import { sharpOf, toPixels } from '../image.ts'
import { eachRow } from '../rows.ts'

/**
 * An opaque picture in which every colour that is seen is as it was, however faint, and runs on into what was
 * transparent as far as a blur of `sigma` reaches: next to a colour that is not there, edges would become dark or bright.
 */
export async function bleedColors(pixels: Pixels, sigma: number, context: ImagingContext): Promise<Pixels> {
  const source = await sharpOf(pixels)
  const colors = await toPixels(context, source.blur(sigma).removeAlpha())
  const { data: from, width } = pixels
  // Nobody else has it.
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
