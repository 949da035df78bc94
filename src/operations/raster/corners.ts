/** Round corners, by the share of each pixel that lies inside the arc. */
import type { Pixels } from '../define.ts'

export interface Corners {
  topLeft: number
  topRight: number
  bottomRight: number
  bottomLeft: number
}

/** Changes the alpha of `pixels` in place, which must have 4 channels and belong to nobody else. */
export function roundCorners(pixels: Pixels, corners: Corners): void {
  const { width, height } = pixels
  arc(pixels, corners.topLeft, false, false)
  arc(pixels, corners.topRight, true, false)
  arc(pixels, corners.bottomRight, true, true)
  arc(pixels, corners.bottomLeft, false, true)

  function arc({ data }: Pixels, radius: number, right: boolean, bottom: boolean): void {
    const reach = Math.min(Math.ceil(radius), width, height)
    for (let row = 0; row < reach; row += 1) {
      for (let column = 0; column < reach; column += 1) {
        // Distance of the pixel's middle from the arc, along the radius: half a pixel either way is the edge.
        const inside = radius - Math.hypot(radius - column - 0.5, radius - row - 0.5) + 0.5
        if (inside >= 1) break
        const x = right ? width - 1 - column : column
        const y = bottom ? height - 1 - row : row
        const at = (y * width + x) * 4
        if (inside <= 0) data.fill(0, at, at + 4)
        else data[at + 3] = Math.round((data[at + 3] ?? 0) * inside)
      }
    }
  }
}

/** CSS Backgrounds 3, 5.5: where two corners want more than a side has, all shrink alike. */
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
