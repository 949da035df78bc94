import { useEffect } from 'react'
import { useEditor } from '../state/editor-context.ts'
import { afterPaint } from './after-paint.ts'

/**
 * Moves the focus to the canvas when the focused element is removed, such as a copy that is undone. Otherwise the next
 * key would be lost.
 */
export function useRestoreFocus(): void {
  const editor = useEditor()
  useEffect(
    () =>
      editor.document.subscribe((now, before) => {
        const root = editor.view.element
        if (now.document === before.document || !root?.contains(document.activeElement)) return
        // After rendering, and after the action that changed the document had its chance to set the focus.
        afterPaint(() => {
          if (document.activeElement === document.body) root.focus({ preventScroll: true })
        })
      }),
    [editor],
  )
}
