import type { KeyboardEvent } from 'react'
import classes from './grip.module.css'
import { useDrag } from './use-drag.ts'

interface GripProps {
  label: string
  /** The size of the part after it, in pixels. */
  value: number
  min: number
  max: number
  /** `x`: the part is on the right; `y`: below. */
  axis: 'x' | 'y'
  onChange(value: number): void
}

const step = 16
const larger = { x: 'ArrowLeft', y: 'ArrowUp' } as const
const smaller = { x: 'ArrowRight', y: 'ArrowDown' } as const

/** A divider that is dragged, or moved with arrow keys, to change the size of the part after it. */
export function Grip({ label, value, min, max, axis, onChange }: GripProps) {
  const resize = (next: number) => onChange(Math.max(min, Math.min(max, next)))
  const drag = useDrag<number>({
    onStart: () => value,
    onMove: (start, { by }) => resize(start - by[axis]),
    onEnd(start, isCancelled) {
      if (isCancelled) resize(start)
    },
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === larger[axis] ? step : event.key === smaller[axis] ? -step : 0
    if (by === 0) return
    event.preventDefault()
    resize(value + by)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a movable divider, not a thematic break
    <div
      role="separator"
      aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
      aria-label={label}
      aria-valuenow={Math.round(value)}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      className={classes.grip}
      data-axis={axis}
      {...drag}
      onKeyDown={onKeyDown}
    />
  )
}
