import { useEffect } from 'react'
import { useCanvas } from '../state/canvas-model.ts'
import { whenDrawn } from './when-drawn.ts'

/** What had the focus may go with a change, such as a copy that is undone: then the canvas has it, and no key is lost. */
export function useKeptFocus(): void {
  const canvas = useCanvas()
  useEffect(
    () =>
      canvas.editor.subscribe((now, before) => {
        const { root } = canvas
        if (now.document === before.document || !root?.contains(document.activeElement)) return
        // After it is drawn, and after whoever changed it has said where the focus goes.
        whenDrawn(() => {
          if (document.activeElement === document.body) root.focus({ preventScroll: true })
        })
      }),
    [canvas],
  )
}
