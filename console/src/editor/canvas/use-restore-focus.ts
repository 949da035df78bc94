import { useEffect } from 'react'
import { useEditor } from '../state/editor-context.ts'
import { afterPaint } from './after-paint.ts'

/** What had the focus may go with a change, such as a copy that is undone: then the canvas has it, and no key is lost. */
export function useRestoreFocus(): void {
  const editor = useEditor()
  useEffect(
    () =>
      editor.document.subscribe((now, before) => {
        const root = editor.view.element
        if (now.document === before.document || !root?.contains(document.activeElement)) return
        // After it is drawn, and after whoever changed it has said where the focus goes.
        afterPaint(() => {
          if (document.activeElement === document.body) root.focus({ preventScroll: true })
        })
      }),
    [editor],
  )
}
