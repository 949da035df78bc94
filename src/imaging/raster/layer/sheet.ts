/** Arranges several images on one background: grids, walls, rows and contact sheets. */
import type { ImageValue, Pixels } from '../../types.ts'
import { toRgba } from '../channels.ts'
import { type Color, parseColor } from '../color.ts'
import { solidColor } from '../draw/fill.ts'
import type { ImageContext } from '../image.ts'
import type { Rectangle } from '../region.ts'
import { eachRow } from '../rows.ts'
import { roundCorners } from '../shape/corners.ts'
import { scaleTo } from '../shape/scaled.ts'
import { checkSize } from '../size.ts'
import { compositeOver } from './over.ts'

export interface Sheet {
  width: number
  height: number
  /** A CSS colour. */
  background: string
  /** Corner radius of every image, in pixels; at most half of its shorter side. */
  radius: number
}

/** Position and size of an image, entirely inside the sheet. The image is scaled to cover it and cropped evenly. */
export interface Placed extends Rectangle {
  image: ImageValue
}

/**
 * Opaque, with 3 channels, if the background is opaque or not visible. Each image is drawn as soon as it is scaled,
 * so only images in progress need memory in addition to the sheet.
 */
export async function composeSheet(
  { width, height, background, radius }: Sheet,
  places: Placed[],
  context: ImageContext,
): Promise<Pixels> {
  checkSize(width, height, context.pixelsMax)
  const ground = parseColor(background)
  const sheet = await solidColor(width, height, ground, context, channelsOf(ground, width * height, places, radius))
  await Promise.all(
    places.map(async ({ image, ...place }) => {
      const pixels = await scaleTo(image, place, context, 'cover')
      const corner = Math.min(radius, place.width / 2, place.height / 2)
      const layer = corner > 0 ? await rounded(pixels, corner, context) : pixels
      if (sheet.channels === 4 && layer.channels === 3) await putOpaque(sheet, layer, place, context)
      else await compositeOver(sheet, layer, { ...place, opacity: 1 }, place)
    }),
  )
  return sheet
}

function channelsOf(ground: Color, area: number, places: Placed[], radius: number): 3 | 4 {
  if (ground.alpha === 1) return 3
  // Positions must not overlap.
  const covered = places.reduce((sum, { width, height }) => sum + width * height, 0)
  return covered === area && radius === 0 && !places.some(({ image }) => image.hasAlpha) ? 3 : 4
}

async function rounded(pixels: Pixels, radius: number, context: ImageContext): Promise<Pixels> {
  const rgba = await toRgba(pixels, context)
  roundCorners(rgba, { topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius })
  return rgba
}

/** Opaque images need no mixing, which takes half of the time. */
async function putOpaque(
  sheet: Pixels,
  { data, width, height }: Pixels,
  { x, y }: Rectangle,
  context: ImageContext,
): Promise<void> {
  await eachRow({ width, height }, context, (row) => {
    const end = (row + 1) * width * 3
    for (let at = row * width * 3, to = ((y + row) * sheet.width + x) * 4; at < end; at += 3, to += 4) {
      sheet.data[to] = data[at] as number
      sheet.data[to + 1] = data[at + 1] as number
      sheet.data[to + 2] = data[at + 2] as number
      sheet.data[to + 3] = 255
    }
  })
}
