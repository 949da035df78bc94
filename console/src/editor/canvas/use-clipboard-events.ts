import { useLayoutEffect } from 'react'
import { modal } from '../../ui/commands/keys.tsx'
import type { Editor } from '../state/editor.ts'
import { useEditor } from '../state/editor-context.ts'
import { announce } from './actions/announce.ts'
import { removeSelection } from './actions/change.ts'
import { pasteText, selectionText } from './actions/clipboard.ts'
import { addFiles } from './actions/files.ts'

/** Handles the browser's clipboard events, which have the data and need no permission. */
export function useClipboardEvents(): void {
  const editor = useEditor()
  useLayoutEffect(() => {
    const handleCopy = (event: ClipboardEvent) => {
      const text = isForCanvas(editor) && !hasTextSelected() ? selectionText(editor) : undefined
      if (text === undefined) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      if (event.type === 'cut' && !editor.isReadOnly) removeSelection(editor)
      else announce(editor, 'Copied.')
    }
    const handlePaste = (event: ClipboardEvent) => {
      if (editor.isReadOnly || !isForCanvas(editor)) return
      const text = event.clipboardData?.getData('text/plain') ?? ''
      const files = [...(event.clipboardData?.files ?? [])]
      if (text.trim() === '' && files.length === 0) return
      event.preventDefault()
      if (text.trim() !== '') void pasteText(editor, text)
      else void addFiles(editor, files)
    }
    document.addEventListener('copy', handleCopy)
    document.addEventListener('cut', handleCopy)
    document.addEventListener('paste', handlePaste)
    return () => {
      document.removeEventListener('copy', handleCopy)
      document.removeEventListener('cut', handleCopy)
      document.removeEventListener('paste', handlePaste)
    }
  }, [editor])
}

/** Whether keys are for the canvas: it has the focus, or no other element has. */
export function isForCanvas({ canvas, view: { element } }: Editor): boolean {
  if (
    element === undefined ||
    canvas.getState().palette !== undefined ||
    canvas.getState().picker !== undefined ||
    canvas.getState().isFinding ||
    canvas.getState().isStageOpen
  )
    return false
  const { activeElement } = document
  if (document.querySelector(modal) !== null) return false
  // `main` has the focus after navigation, or after the focused element was removed.
  if (activeElement === null || activeElement === document.body || activeElement.id === 'main') return true
  return element.contains(activeElement) && activeElement.closest('button,a,input,textarea,[role=menu]') === null
}

function hasTextSelected(): boolean {
  const selected = window.getSelection()
  return selected !== null && !selected.isCollapsed && selected.toString() !== ''
}
