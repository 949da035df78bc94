/** Round corners, anti-aliased by the share of each pixel inside the arc. */
import type { Pixels } from '../../types.ts'

export interface Corners {
  topLeft: number
  topRight: number
  bottomRight: number
  bottomLeft: number
}

/** Changes the alpha of `pixels` in place; they must have 4 channels and no other readers. */
export function roundCorners(pixels: Pixels, corners: Corners): void {
  const { width, height } = pixels
  arc(pixels, corners.topLeft, false, false)
  arc(pixels, corners.topRight, true, false)
  arc(pixels, corners.bottomRight, true, true)
  arc(pixels, corners.bottomLeft, false, true)

  function arc({ data }: Pixels, radius: number, right: boolean, bottom: boolean): void {
    const reach = Math.min(Math.ceil(radius), width, height)
    for (let row = 0; row < reach; row += 1) {
      const y = bottom ? height - 1 - row : row
      const dy = radius - row - 0.5
      // The arc and half a pixel: everything before it is outside.
      const outside = Math.floor(radius - 0.5 - Math.sqrt(Math.max(0, (radius + 0.5) ** 2 - dy ** 2)))
      const hidden = Math.min(reach, Math.max(0, outside))
      const start = (y * width + (right ? width - hidden : 0)) * 4
      data.fill(0, start, start + hidden * 4)
      for (let column = hidden; column < reach; column += 1) {
        const inside = radius - Math.hypot(radius - column - 0.5, dy) + 0.5
        if (inside >= 1) break
        const at = (y * width + (right ? width - 1 - column : column)) * 4
        if (inside <= 0) data.fill(0, at, at + 4)
        else data[at + 3] = Math.round((data[at + 3] ?? 0) * inside)
      }
    }
  }
}

/** CSS Backgrounds 3, 5.5: if the radii exceed a side, all are reduced by the same factor. */
export function fitCorners(corners: Corners, width: number, height: number): Corners {
  const { topLeft, topRight, bottomRight, bottomLeft } = corners
  const share = Math.min(
    1,
    width / Math.max(topLeft + topRight, bottomLeft + bottomRight, 1),
    height / Math.max(topLeft + bottomLeft, topRight + bottomRight, 1),
  )
  return {
    topLeft: topLeft * share,
    topRight: topRight * share,
    bottomRight: bottomRight * share,
    bottomLeft: bottomLeft * share,
  }
}
