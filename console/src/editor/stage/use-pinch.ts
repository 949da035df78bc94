/** Two fingers that zoom and pan. */
import { type RefObject, useEffect, useRef } from 'react'
import type { Point } from './shape.ts'

interface Finger {
  at: Point
  target: EventTarget | null
}

/** `onPinch`: the factor of the distance, and the movement of the middle, in pixels of the window. */
export function usePinch(
  element: RefObject<HTMLElement | null>,
  onPinch: (pinch: { factor: number; middle: Point; by: Point }) => void,
): void {
  const newest = useRef(onPinch)
  newest.current = onPinch
  useEffect(() => {
    const stage = element.current
    const fingers = new Map<number, Finger>()
    /** True until all fingers are up, because the last one must not drag. */
    let isPinching = false
    const pair = () => {
      const [first = origin, second = origin] = [...fingers.values()].map(({ at }) => at)
      const middle: Point = [(first[0] + second[0]) / 2, (first[1] + second[1]) / 2]
      return { middle, distance: Math.hypot(first[0] - second[0], first[1] - second[1]) }
    }
    const handle = (event: PointerEvent) => {
      if (event.pointerType !== 'touch' || !event.isTrusted) return
      const { type, pointerId, clientX, clientY, target } = event
      const at: Point = [clientX, clientY]
      if (type === 'pointerdown') {
        if (fingers.size === 1) for (const [id, finger] of fingers) cancel(id, finger)
        fingers.set(pointerId, { at, target })
        isPinching ||= fingers.size > 1
      }
      if (isPinching) event.stopPropagation()
      const finger = fingers.get(pointerId)
      if (type === 'pointermove' && finger !== undefined) {
        const before = pair()
        finger.at = at
        const { middle, distance } = pair()
        const by: Point = [middle[0] - before.middle[0], middle[1] - before.middle[1]]
        const factor = distance / Math.max(before.distance, 1)
        if (fingers.size === 2) newest.current({ factor, middle: before.middle, by })
      }
      if (type === 'pointerup' || type === 'pointercancel') {
        fingers.delete(pointerId)
        isPinching &&= fingers.size > 0
      }
    }
    // Before the handlers of handles and of the brush.
    for (const type of types) stage?.addEventListener(type, handle, { capture: true })
    return () => {
      for (const type of types) stage?.removeEventListener(type, handle, { capture: true })
    }
  }, [element])
}

const types = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const
const origin: Point = [0, 0]

/** The drag that the first finger started is cancelled. */
function cancel(pointerId: number, { target }: Finger): void {
  target?.dispatchEvent(new PointerEvent('pointercancel', { pointerId, bubbles: true }))
}
