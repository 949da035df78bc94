/**
 * The gain map of an image that was cropped or turned. Only the part of it that the image shows is noted: it is decoded when the
 * output is encoded. An operation that changes colors returns an image without it.
 */
import type { GainMap, ImageValue } from '../../types.ts'
import type { Rectangle } from '../region.ts'

type Way = GainMap['toMap']
type WithGainMap = Pick<ImageValue, 'gainMap'>

/** Gain map of an image that shows all of the other one, at any size. */
export function gainMapOfAll({ gainMap }: ImageValue): WithGainMap {
  return gainMap ? { gainMap } : {}
}

/** Gain map of a rectangle of an image, in pixels. */
export function gainMapOfPart(
  { gainMap }: ImageValue,
  part: Rectangle,
  whole: { width: number; height: number },
): WithGainMap {
  const scaled = { xx: part.width / whole.width, yy: part.height / whole.height }
  return moved(gainMap, { ...scaled, xy: 0, yx: 0, x: part.x / whole.width, y: part.y / whole.height })
}

export function gainMapFlipped({ gainMap }: ImageValue, axis: 'horizontal' | 'vertical' | 'both'): WithGainMap {
  const [across, down] = [axis !== 'vertical', axis !== 'horizontal']
  const way = { xx: across ? -1 : 1, x: across ? 1 : 0, yy: down ? -1 : 1, y: down ? 1 : 0, xy: 0, yx: 0 }
  return moved(gainMap, way)
}

/** Clockwise, by a multiple of 90 degrees. */
export function gainMapTurned({ gainMap }: ImageValue, angle: number): WithGainMap {
  const quarters = (((angle / 90) % 4) + 4) % 4
  let turned = gainMap
  for (let turn = 0; turn < quarters; turn += 1) {
    turned = moved(turned, { xx: 0, xy: 1, x: 0, yx: -1, yy: 0, y: 1 }).gainMap
  }
  return turned ? { gainMap: turned } : {}
}

/** `way`: from a place in the result to one in the image, both from 0 to 1. */
function moved(gainMap: GainMap | undefined, way: Way): WithGainMap {
  if (gainMap === undefined) return {}
  const { toMap: next } = gainMap
  const toMap = {
    xx: next.xx * way.xx + next.xy * way.yx,
    xy: next.xx * way.xy + next.xy * way.yy,
    yx: next.yx * way.xx + next.yy * way.yx,
    yy: next.yx * way.xy + next.yy * way.yy,
    x: next.xx * way.x + next.xy * way.y + next.x,
    y: next.yx * way.x + next.yy * way.y + next.y,
  }
  return { gainMap: { ...gainMap, toMap } }
}
