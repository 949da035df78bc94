/** Many pictures on one ground: grids, walls, rows and sheets. */
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
  /** As CSS has it. */
  background: string
  /** Of the corners of every picture, in pixels; at most half of its shorter side counts. */
  radius: number
}

/** Where a picture goes, whole and inside the sheet. It is scaled to the size, and what is over is cut evenly. */
export interface Placed extends Rectangle {
  picture: ImageValue
}

/**
 * Opaque, in 3 channels, when the ground is or nothing of it is seen. Each picture is laid down as soon as it is scaled,
 * so that only those that are being worked on take memory besides the sheet.
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
    places.map(async ({ picture, ...place }) => {
      const pixels = await scaleTo(picture, place, context, 'cover')
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
  // No two places have a pixel in common.
  const covered = places.reduce((sum, { width, height }) => sum + width * height, 0)
  return covered === area && radius === 0 && !places.some(({ picture }) => picture.hasAlpha) ? 3 : 4
}

async function rounded(pixels: Pixels, radius: number, context: ImageContext): Promise<Pixels> {
  const own = await toRgba(pixels, context)
  roundCorners(own, { topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius })
  return own
}

/** Where nothing shines through there is nothing to mix, which takes half of the time. */
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
