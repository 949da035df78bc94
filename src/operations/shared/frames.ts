/** Frames of operations. */
import type { Anchor } from '../../../shared/anchors.ts'
import type { Frame, FrameAnchor, FrameBind } from '../../../shared/frames.ts'
import type { Rectangle } from '../../imaging/raster/region.ts'
import type { Size } from '../../imaging/raster/shape/scaled.ts'

/** The points of a rectangle. */
function corners({ x, y, width, height }: Rectangle): Frame['points'] {
  return [
    [x, y],
    [x + width, y + height],
  ]
}

export function areaFrame(
  id: string,
  kind: 'box' | 'rect' | 'mask',
  of: Frame['of'],
  area: Rectangle,
  binds: Frame['binds'] = {},
): Frame {
  return { id, kind, of, points: corners(area), binds }
}

/** Params of a rectangle: `x`, `y`, `width` and `height`, in the object `inside` if there is one. */
export function rectangleBinds(inside?: string): Frame['binds'] {
  const bind = (name: string): FrameBind => ({ param: inside === undefined ? name : `${inside}.${name}` })
  return { x: bind('x'), y: bind('y'), width: bind('width'), height: bind('height') }
}

/** One param that sets the width, and the height with it. `scale`: pixels of the width for 1 of the param. */
export function ratioBinds(param: string, { width, height }: Size, scale = 1): Frame['binds'] {
  return {
    width: { param, ...(scale !== 1 && { scale }) },
    height: { param, scale: (scale * height) / width },
  }
}

/** The place on an image by the param `position`. */
export function anchorOn({ width, height }: Size, value: Anchor): FrameAnchor {
  return { param: 'position', value, size: [width, height] }
}

/** The entire result, with the params of its size. */
export function sizeFrame({ width, height }: Size, binds: Frame['binds']): Frame {
  return areaFrame('size', 'box', 'result', { x: 0, y: 0, width, height }, binds)
}

export const sizeBinds: Frame['binds'] = { width: { param: 'width' }, height: { param: 'height' } }
