/** Dragging with a pointer: the movement since its start, with the keys that are held. Escape and a lost pointer cancel it. */
import { type PointerEvent, useEffect, useRef } from 'react'

/** Pixels of the window. */
interface Position {
  x: number
  y: number
}

export interface DragKeys {
  shiftKey: boolean
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
}

interface Handlers<State> {
  /** Undefined: the pointer starts no drag. */
  onStart(event: PointerEvent): State | undefined
  /** Called for each movement, and when a modifier key changes. `by`: since the start. */
  onMove(state: State, drag: { by: Position; at: Position; keys: DragKeys }): void
  onEnd?(state: State, isCancelled: boolean): void
}

interface Dragged<State> {
  pointerId: number
  from: Position
  at: Position
  state: State
  stop(): void
}

const modifiers = ['Shift', 'Alt', 'Control', 'Meta']

/** The props of a draggable element. */
export function useDrag<State>(handlers: Handlers<State>) {
  const newest = useRef(handlers)
  newest.current = handlers
  const dragged = useRef<Dragged<State>>(undefined)
  const move = (keys: DragKeys) => {
    const drag = dragged.current
    if (drag === undefined) return
    const { from, at, state } = drag
    newest.current.onMove(state, { by: { x: at.x - from.x, y: at.y - from.y }, at, keys })
  }
  const end = (isCancelled: boolean) => {
    const drag = dragged.current
    if (drag === undefined) return
    dragged.current = undefined
    drag.stop()
    newest.current.onEnd?.(drag.state, isCancelled)
  }
  useEffect(
    () => () => {
      dragged.current?.stop()
    },
    [],
  )
  return {
    onPointerDown(event: PointerEvent<Element>) {
      if (dragged.current !== undefined) return
      const state = newest.current.onStart(event)
      if (state === undefined) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const handleKey = (key: KeyboardEvent) => {
        if (modifiers.includes(key.key)) move(key)
        if (key.key !== 'Escape' || key.type !== 'keydown') return
        key.preventDefault()
        key.stopPropagation()
        end(true)
      }
      window.addEventListener('keydown', handleKey, true)
      window.addEventListener('keyup', handleKey, true)
      const from = { x: event.clientX, y: event.clientY }
      dragged.current = {
        ...{ pointerId: event.pointerId, from, at: from, state },
        stop() {
          window.removeEventListener('keydown', handleKey, true)
          window.removeEventListener('keyup', handleKey, true)
        },
      }
    },
    onPointerMove(event: PointerEvent<Element>) {
      const drag = dragged.current
      if (drag?.pointerId !== event.pointerId) return
      drag.at = { x: event.clientX, y: event.clientY }
      move(event)
    },
    onPointerUp(event: PointerEvent<Element>) {
      if (dragged.current?.pointerId === event.pointerId) end(false)
    },
    onPointerCancel(event: PointerEvent<Element>) {
      if (dragged.current?.pointerId === event.pointerId) end(true)
    },
  }
}
