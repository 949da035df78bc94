/** Nodes that are added while the stage shows a picture. */
import type { DragEvent } from 'react'
import { addOverlays } from '../canvas/actions/files.ts'
import { outputId, wiresOf } from '../document/wires.ts'
import type { PaletteRequest } from '../state/canvas.ts'
import type { Editor } from '../state/editor.ts'

/** A new node continues the picture of `id`: if one other node reads it, the new one is between them. */
export function requestAfter({ document }: Editor, id: string): PaletteRequest {
  const [wire, ...others] = wiresOf(document.getState().document).filter(({ source }) => source === id)
  const isBetween = wire !== undefined && wire.target !== outputId && others.length === 0
  return { from: id, isOver: true, ...(isBetween ? { wire } : {}) }
}

/** Places images that are dropped on the stage over its picture. Without this, the browser would leave the page for the file. */
export function dropProps(editor: Editor, id: string) {
  return {
    onDragOver(event: DragEvent) {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault()
    },
    onDrop(event: DragEvent) {
      const files = [...event.dataTransfer.files]
      if (files.length === 0) return
      event.preventDefault()
      void addOverlays(editor, files, () => requestAfter(editor, id))
    },
  }
}
