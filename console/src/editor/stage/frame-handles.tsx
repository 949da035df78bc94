import { useEffect, useRef } from 'react'
import { isTouch } from '../../ui/screen.ts'
import type { CurrentFrame } from './current-frame.ts'
import { frameTitle, gripName } from './describe.ts'
import { FrameMarks } from './frame-marks.tsx'
import { type Grip, gripsOf } from './grips.ts'
import { Handle } from './handle.tsx'
import classes from './handles.module.css'
import { bodyStyle, handlePoint, handleReach, handleStyle, markStyle } from './place.ts'
import { isBox, minus, pointAt } from './shape.ts'
import { useStage } from './stage-context.ts'
import type { View } from './view.ts'

interface Props {
  current: CurrentFrame
  /** Whether its handles are shown. */
  isActive: boolean
  /** Whether it has the focus from its start. */
  takesFocus?: boolean
  onActivate(): void
  /** Edits the text of the frame, with the caret at a position of the window. Undefined if it has none. */
  onEdit?: ((position?: { x: number; y: number }) => void) | undefined
}

/** A frame over the picture, with its handles: elements that take the focus, arrow keys and the pointer. */
export function FrameHandles({ current, isActive, takesFocus, onActivate, onEdit }: Props) {
  const { frame, slots } = current
  const { view } = useStage()
  const group = useRef<HTMLDivElement>(null)
  const grips = gripsOf(current)
  const hasParameter = Object.values(slots).some((slot) => slot?.parameter !== undefined)
  const hasBody = frame.kind !== 'point'
  // A frame that can't be moved can't be chosen with the pointer either.
  const isShown = isActive || !isBox(frame) || !grips.includes('move')
  const handles = isShown ? grips.filter((grip) => grip !== 'move' && hasSpace(current, grip, view)) : []
  const focus = (selector: string) => group.current?.querySelector<HTMLElement>(selector)?.focus()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only at the start
  useEffect(() => {
    if (takesFocus) focus('[data-grip=move]')
  }, [])
  return (
    // biome-ignore lint/a11y/useSemanticElements: parts of a picture are not a fieldset
    <div
      ref={group}
      className={classes.frame}
      role="group"
      aria-label={frameTitle(frame)}
      data-frame={frame.id}
      data-active={isActive || undefined}
      data-parameter={hasParameter || undefined}
    >
      {hasBody && (
        <Handle
          current={current}
          grip="move"
          name={gripName(frame, 'move')}
          isDisabled={!grips.includes('move')}
          className={classes.body ?? ''}
          style={bodyStyle(current, view)}
          onActivate={onActivate}
          onEnter={() => (onEdit === undefined ? focus('[data-grip]:not([data-grip=move])') : onEdit())}
          {...(onEdit === undefined ? {} : { onOpen: onEdit })}
        />
      )}
      {handles.map((grip) => (
        <Handle
          key={grip}
          current={current}
          grip={grip}
          name={gripName(frame, grip)}
          className={`${classes.handle} ${typeof grip === 'number' ? classes.point : (classes[grip] ?? '')}`}
          style={handleStyle(current, grip, view)}
          onActivate={onActivate}
          {...(hasBody ? { onLeave: () => focus('[data-grip=move]') } : {})}
        />
      ))}
      <FrameMarks current={current} isActive={isActive} style={markStyle(current, view)} />
    </div>
  )
}

/** The middle of a short edge has no handle: those of its corners would be in the way. The same applies to the size of a text near another handle. */
function hasSpace(current: CurrentFrame, grip: Grip, view: View): boolean {
  const { frame, shape } = current
  if (grip === 'fontSize') {
    const others = gripsOf(current).filter((other) => other !== 'move' && other !== grip)
    const at = handlePoint(current, grip, view)
    const isNear = (other: Grip) => Math.hypot(...minus(handlePoint(current, other, view), at)) < handleReach()
    return !others.some((other) => hasSpace(current, other, view) && isNear(other))
  }
  if (!isBox(frame) || typeof grip !== 'string' || grip.length > 1) return true
  const [low, high] = [pointAt(shape, 0), pointAt(shape, 1)]
  const axis = grip === 'n' || grip === 's' ? 0 : 1
  const least = isTouch() ? 100 : 36
  return (high[axis] - low[axis]) * view.zoom >= least
}

/** Whether something of the frame can be moved, or could be without a template. */
export function hasHandles({ slots }: Pick<CurrentFrame, 'slots'>): boolean {
  return Object.keys(slots).length > 0
}

/** Whether the text of the frame can be edited on the picture: if it isn't turned. */
export function isText({ frame, shape }: CurrentFrame): boolean {
  return frame.lines !== undefined && shape.rotation === 0
}
