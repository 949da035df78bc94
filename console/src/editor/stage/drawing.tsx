import type { ReactNode } from 'react'
import type { Size } from '../document/geometry.ts'
import type { CurrentFrame } from './current-frame.ts'
import classes from './drawing.module.css'
import { gripsOf } from './grips.ts'
import { handlePoint } from './place.ts'
import { cornersOf, isBox, type Point, pointAt } from './shape.ts'
import type { Guide } from './snap.ts'
import { toScreen, type View } from './view.ts'

interface Props {
  frames: readonly CurrentFrame[]
  /** The part of the input that the node keeps, if no frame with handles is this part. */
  kept: CurrentFrame | undefined
  active: string | undefined
  guides: readonly Guide[]
  image: Size
  view: View
}

/** The lines of frames and guides over the picture. Handles are elements above it. */
export function Drawing({ frames, kept: area, active, guides, image, view }: Props) {
  const chosen = frames.find(({ frame }) => frame.kind === 'rect' && frame.of === 'input' && frame.id === active)
  const kept = chosen ?? area
  const [left, top] = toScreen(view, [0, 0])
  const [right, bottom] = toScreen(view, [image.width, image.height])
  return (
    <DrawingLayer>
      {kept && (
        <path
          className={classes.outside}
          fillRule="evenodd"
          d={`M ${left} ${top} H ${right} V ${bottom} H ${left} Z ${outline(kept, view)}`}
        />
      )}
      {kept && <Thirds current={kept} view={view} />}
      {frames.map((current) => (
        <FrameLines key={current.frame.id} current={current} isActive={current.frame.id === active} view={view} />
      ))}
      {guides.map(({ axis, at }) => {
        const [x, y] = toScreen(view, axis === 0 ? [at, 0] : [0, at])
        const d = axis === 0 ? `M ${x} ${top} V ${bottom}` : `M ${left} ${y} H ${right}`
        return <path key={axis} className={classes.guide} data-guide={axis} d={d} />
      })}
    </DrawingLayer>
  )
}

/** A layer for lines over the picture, which takes no pointer. */
export function DrawingLayer({ children }: { children: ReactNode }) {
  return (
    <svg className={classes.drawing} aria-hidden>
      {children}
    </svg>
  )
}

function FrameLines({ current, isActive, view }: { current: CurrentFrame; isActive: boolean; view: View }) {
  const { frame, slots } = current
  const hasParameter = Object.values(slots).some((slot) => slot?.parameter !== undefined)
  const state = { 'data-active': isActive || undefined, 'data-parameter': hasParameter || undefined }
  if (frame.kind === 'point') {
    const [x, y] = handlePoint(current, 0, view)
    return <path {...state} className={classes.line} d={`M ${x - 22} ${y} h 44 M ${x} ${y - 22} v 44`} />
  }
  const stem = gripsOf(current).includes('rotate') && isActive ? rotationStem(current, view) : ''
  return (
    <>
      <path {...state} className={classes.ground} d={outline(current, view) + stem} />
      <path {...state} className={classes.line} d={outline(current, view) + stem} />
    </>
  )
}

function rotationStem(current: CurrentFrame, view: View): string {
  return ` M ${handlePoint(current, 'n', view).join(' ')} L ${handlePoint(current, 'rotate', view).join(' ')}`
}

function outline({ frame, shape }: CurrentFrame, view: View): string {
  const points = cornersOf(frame, shape).map((point) => toScreen(view, point).join(' '))
  return `M ${points.join(' L ')}${frame.kind === 'line' ? '' : ' Z'}`
}

/** The thirds of a crop, as cameras show them. */
function Thirds({ current: { frame, shape }, view }: { current: CurrentFrame; view: View }) {
  if (!isBox(frame)) return null
  const [low, high] = [toScreen(view, pointAt(shape, 0)), toScreen(view, pointAt(shape, 1))]
  const at = (axis: 0 | 1, part: number) => low[axis] + (high[axis] - low[axis]) * part
  const lines = [1 / 3, 2 / 3].flatMap((part): [Point, Point][] => [
    [
      [at(0, part), low[1]],
      [at(0, part), high[1]],
    ],
    [
      [low[0], at(1, part)],
      [high[0], at(1, part)],
    ],
  ])
  return (
    <path className={classes.third} d={lines.map(([from, to]) => `M ${from.join(' ')} L ${to.join(' ')}`).join(' ')} />
  )
}
