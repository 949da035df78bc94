import { type CSSProperties, type KeyboardEvent, type RefObject, useRef } from 'react'
import { isMac } from '../../ui/commands/keys.tsx'
import { type DragKeys, useDrag } from '../../ui/use-drag.ts'
import { useEditor } from '../state/editor-context.ts'
import { type CurrentFrame, currentFrame } from './current-frame.ts'
import { gripText, gripValue } from './describe.ts'
import { type Started, startGesture } from './gesture.ts'
import type { Grip } from './grips.ts'
import type { Point } from './shape.ts'
import type { SnapLines } from './snap.ts'
import { useStage } from './stage-context.ts'

interface Props {
  current: CurrentFrame
  grip: Grip
  name: string
  className: string
  style: CSSProperties
  isDisabled?: boolean
  elementRef?: RefObject<HTMLDivElement | null>
  onActivate(): void
  /** A double click, at a position of the window. */
  onOpen?(position: { x: number; y: number }): void
  /** Enter: moves the focus to the handles of the frame. */
  onEnter?(): void
  /** Escape: moves the focus back to the frame. */
  onLeave?(): void
}

/** Distance within which edges snap, in pixels of the window. */
const snapReach = 6
const arrowStep = 1
const largeArrowStep = 10

const arrows: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** A part of a frame that the pointer drags and arrow keys move. */
export function Handle(props: Props) {
  const {
    current,
    grip,
    name,
    className,
    style,
    isDisabled = false,
    elementRef,
    onActivate,
    onOpen,
    onEnter,
    onLeave,
  } = props
  const { frame, shape, slots } = current
  const editor = useEditor()
  const stage = useStage()
  const { id, image, view } = stage
  /** The gesture of keys that are pressed. */
  const pressed = useRef<Started>(undefined)
  const isAngle = frame.kind === 'line' && slots.x1 === undefined

  const start = (from?: Point): Started => {
    onActivate()
    stage.setBusy(true)
    stage.setGrip({ frame: frame.id, grip })
    return startGesture(editor, { id, frame, grip, image, ...(from === undefined ? {} : { from }) })
  }
  const end = (started: Started, isCancelled: boolean) => {
    started.end(isCancelled)
    stage.setGuides([])
    stage.setBusy(false)
    stage.setGrip(undefined)
    stage.say(gripText(frame, currentFrame(editor, id, frame).shape, grip, isAngle))
  }
  const drag = useDrag<{ started: Started; lines: SnapLines; zoom: number }>({
    onStart(event) {
      if (event.button !== 0 || stage.isPanning()) return undefined
      event.stopPropagation()
      onActivate()
      if (isDisabled) return undefined
      const lines = stage.linesWithout(frame.id)
      // The picture can get another size during the gesture, for example by a rotation, and with it another zoom.
      const { zoom } = view
      return { started: start(stage.toImage({ x: event.clientX, y: event.clientY })), lines, zoom }
    },
    onMove({ started, lines, zoom }, { by, keys }) {
      const snapping = isWithoutSnapping(keys) ? undefined : { lines, reach: snapReach / zoom }
      const pixels: Point = [by.x / zoom, by.y / zoom]
      stage.setGuides(started.move(pixels, { isConstrained: keys.shiftKey, isCentred: keys.altKey }, snapping))
    },
    onEnd: ({ started }, isCancelled) => end(started, isCancelled),
  })
  const endKeys = () => {
    const started = pressed.current
    pressed.current = undefined
    if (started !== undefined) end(started, false)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    const way = arrows[event.key]
    const act = event.key === 'Enter' ? onEnter : event.key === 'Escape' ? onLeave : undefined
    if (act !== undefined) {
      event.preventDefault()
      act()
    }
    if (way === undefined || isDisabled || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const step = event.shiftKey ? largeArrowStep : arrowStep
    // All presses until the key is released are one gesture.
    pressed.current ??= start()
    pressed.current.nudge([way[0] * step, way[1] * step])
    stage.say(gripText(frame, currentFrame(editor, id, frame).shape, grip, isAngle))
  }
  return (
    <div
      ref={elementRef}
      role="slider"
      tabIndex={0}
      className={className}
      style={style}
      data-grip={grip}
      aria-label={name}
      aria-valuenow={gripValue(frame, shape, grip)}
      aria-valuetext={gripText(frame, shape, grip, isAngle)}
      aria-disabled={isDisabled || undefined}
      onFocus={onActivate}
      onBlur={endKeys}
      onKeyDown={handleKeyDown}
      onKeyUp={endKeys}
      onDoubleClick={({ clientX: x, clientY: y }) => onOpen?.({ x, y })}
      {...drag}
    />
  )
}

/** Ctrl, or Cmd on a Mac, switches snapping off while it is held. */
function isWithoutSnapping({ ctrlKey, metaKey }: DragKeys): boolean {
  return isMac ? metaKey : ctrlKey
}
