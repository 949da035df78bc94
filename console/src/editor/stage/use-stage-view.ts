/** Zoom and position of the picture: fitted to the stage until someone zooms or pans. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useDrag } from '../../ui/use-drag.ts'
import type { Size } from '../document/geometry.ts'
import type { Point } from './shape.ts'
import { usePinch } from './use-pinch.ts'
import { centred, fitted, panned, type View, zoomed } from './view.ts'

const wheelStep = 0.0015
export const zoomStep = 1.25

/** `image`: undefined as long as its size is not known. */
export function useStageView(image: Size | undefined) {
  const element = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size>({ width: 1, height: 1 })
  /** Undefined: fitted. */
  const [chosen, setChosen] = useState<View>()
  const [isSpaceHeld, setSpaceHeld] = useState(false)
  const { width = 1, height = 1 } = image ?? {}
  const view = chosen ?? fitted({ width, height }, size)
  const newest = useRef(view)
  newest.current = view

  // Another size of the image is another picture.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size starts a new view
  useEffect(() => setChosen(undefined), [width, height])
  useLayoutEffect(() => {
    const stage = element.current
    if (stage === null) return
    const observer = new ResizeObserver(() => setSize({ width: stage.clientWidth, height: stage.clientHeight }))
    observer.observe(stage)
    return () => observer.disconnect()
  }, [])
  // React listens to the wheel passively, so it can't keep the page from zooming.
  useEffect(() => {
    const stage = element.current
    const handleWheel = (event: WheelEvent) => {
      event.preventDefault()
      const { left = 0, top = 0 } = stage?.getBoundingClientRect() ?? {}
      const at: Point = [event.clientX - left, event.clientY - top]
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
      // Two fingers on a touchpad zoom with small steps and Ctrl.
      const speed = event.ctrlKey ? 6 : 1
      setChosen(zoomed(newest.current, Math.exp(-event.deltaY * lines * wheelStep * speed), at))
    }
    stage?.addEventListener('wheel', handleWheel, { passive: false })
    return () => stage?.removeEventListener('wheel', handleWheel)
  }, [])
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== ' ' || !element.current?.contains(document.activeElement)) return
      event.preventDefault()
      setSpaceHeld(event.type === 'keydown')
    }
    const release = () => setSpaceHeld(false)
    window.addEventListener('keydown', handleKey)
    window.addEventListener('keyup', handleKey)
    window.addEventListener('blur', release)
    return () => {
      window.removeEventListener('keydown', handleKey)
      window.removeEventListener('keyup', handleKey)
      window.removeEventListener('blur', release)
    }
  }, [])
  usePinch(element, ({ factor, middle, by }) => {
    const { left = 0, top = 0 } = element.current?.getBoundingClientRect() ?? {}
    // Both fingers can move before the next render.
    newest.current = panned(zoomed(newest.current, factor, [middle[0] - left, middle[1] - top]), by)
    setChosen(newest.current)
  })
  const panProps = useDrag<View>({
    onStart({ button, target }) {
      // A captured pointer would take the click of a button.
      const isButton = target instanceof Element && target.closest('button') !== null
      return isButton || button > 1 ? undefined : newest.current
    },
    onMove: (start, { by }) => setChosen(panned(start, [by.x, by.y])),
  })
  const zoomBy = useCallback(
    (factor: number) => setChosen(zoomed(newest.current, factor, [size.width / 2, size.height / 2])),
    [size],
  )
  return {
    element,
    view,
    isSpaceHeld,
    panProps,
    zoomBy,
    fit: useCallback(() => setChosen(undefined), []),
    zoomToFull: useCallback(() => setChosen(centred({ width, height }, size, 1)), [width, height, size]),
    toImage({ x, y }: { x: number; y: number }): Point {
      const { left = 0, top = 0 } = element.current?.getBoundingClientRect() ?? {}
      const { zoom, offset } = newest.current
      return [(x - left - offset[0]) / zoom, (y - top - offset[1]) / zoom]
    },
  }
}
