/** Places of handles on the screen. */
import type { CSSProperties } from 'react'
import { isTouch } from '../../ui/screen.ts'
import type { CurrentFrame } from './current-frame.ts'
import { type Grip, sideOf } from './grips.ts'
import {
  add,
  angleOf,
  axes,
  centreOf,
  cornersOf,
  extentOf,
  isBox,
  minus,
  type Point,
  pointAt,
  turned,
} from './shape.ts'
import { toScreen, type View } from './view.ts'

/** Distance of the rotation handle from the frame, in pixels of the window. */
const rotationDistance = 28
/** Distance of the handle of the text size from the end of its line and above it, in pixels of the window. */
const textDistance = 10
/** Width of the area around a line that moves it. */
const lineWidth = 14

/** Moves to a point of the window without a layout, as the browser's compositor does it. */
function placed([x, y]: Point, more = ''): string {
  return `translate(${x}px, ${y}px)${more}`
}

/** The area that moves the frame. */
export function bodyStyle({ frame, shape }: CurrentFrame, view: View): CSSProperties {
  if (frame.kind === 'line') {
    const [start, end] = [toScreen(view, pointAt(shape, 0)), toScreen(view, pointAt(shape, 1))]
    const way = minus(end, start)
    const height = Math.hypot(...way)
    const centre = centreOf({ points: [start, end] })
    const at = minus(centre, [lineWidth / 2, height / 2])
    return { width: lineWidth, height, transform: placed(at, ` rotate(${angleOf(way)}deg)`) }
  }
  const [low, high] = isBox(frame) ? [pointAt(shape, 0), pointAt(shape, 1)] : extentOf(frame, shape)
  const [from, to] = [toScreen(view, low), toScreen(view, high)]
  const size = { width: Math.max(to[0] - from[0], 1), height: Math.max(to[1] - from[1], 1) }
  if (isBox(frame))
    return { ...size, transform: placed(from, shape.rotation === 0 ? '' : ` rotate(${shape.rotation}deg)`) }
  const corners = cornersOf(frame, shape).map((point) => minus(toScreen(view, point), from))
  return {
    ...size,
    transform: placed(from),
    clipPath: `polygon(${corners.map(([x, y]) => `${x}px ${y}px`).join(', ')})`,
  }
}

/** The middle of a handle. */
export function handlePoint({ frame, shape }: Pick<CurrentFrame, 'frame' | 'shape'>, grip: Grip, view: View): Point {
  if (typeof grip === 'number') return toScreen(view, pointAt(shape, grip))
  const [low, high] = [toScreen(view, pointAt(shape, 0)), toScreen(view, pointAt(shape, 1))]
  const centre = centreOf({ points: [low, high] })
  const half = minus(high, centre)
  if (grip === 'move') return centre
  if (grip === 'fontSize') {
    const end = toScreen(view, add(lineEnd(frame), minus(pointAt(shape, 0), pointAt(frame, 0))))
    // Inside of the box, next to the handles of its edges.
    const reach = Math.min(handleReach(), half[0])
    const x = Math.min(Math.max(end[0] + textDistance, low[0] + reach), high[0] - reach)
    return add(centre, turned(minus([x, end[1] - textDistance], centre), shape.rotation))
  }
  const way: Point =
    grip === 'rotate'
      ? [0, -half[1] - rotationDistance]
      : (axes.map((axis) => sideOf(grip, axis) * half[axis.index]) as [number, number])
  return add(centre, turned(way, shape.rotation))
}

/** The end of the first line of a text, on its baseline. */
function lineEnd({ lines: [line] = [] }: CurrentFrame['frame']): Point {
  return line === undefined ? [0, 0] : [line.x + line.width, line.baseline]
}

/** The distance at which the areas of two handles don't overlap, in pixels of the window. */
export function handleReach(): number {
  return isTouch() ? 44 : 26
}

export function handleStyle(current: CurrentFrame, grip: Grip, view: View): CSSProperties {
  return { transform: placed(handlePoint(current, grip, view)), cursor: cursorOf(grip, current.shape.rotation) }
}

/** The place of the marks: below the frame, at its left end. */
export function markStyle({ frame, shape }: CurrentFrame, view: View): CSSProperties {
  const [low, high] = extentOf(frame, shape)
  const at = toScreen(view, [low[0], high[1]])
  return { transform: placed(add(at, [0, 10])) }
}

const resizeCursors = ['ns-resize', 'nesw-resize', 'ew-resize', 'nwse-resize'] as const
const edgeAngles: Record<string, number> = { n: 0, ne: 45, e: 90, se: 135, s: 180, sw: 225, w: 270, nw: 315 }

function cursorOf(grip: Grip, rotation: number): string {
  if (typeof grip === 'number' || grip === 'move') return 'move'
  if (grip === 'rotate') return 'grab'
  const eighths = Math.round(((edgeAngles[grip] ?? 0) + rotation) / 45)
  return resizeCursors[((eighths % 4) + 4) % 4] ?? 'move'
}
