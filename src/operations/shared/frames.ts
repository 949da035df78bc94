/** Frames of operations. */
import type { Frame, FrameBind } from '../../../shared/frames.ts'

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

/** The points of a rectangle. */
export function corners({ x, y, width, height }: Rectangle): Frame['points'] {
  return [
    [x, y],
    [x + width, y + height],
  ]
}

/** Params of a rectangle: `x`, `y`, `width` and `height`, in the object `inside` if there is one. */
export function rectangleBinds(inside?: string): Frame['binds'] {
  const bind = (name: string): FrameBind => ({ param: inside === undefined ? name : `${inside}.${name}` })
  return { x: bind('x'), y: bind('y'), width: bind('width'), height: bind('height') }
}
