import type { Box } from '../../document/geometry.ts'
import { addNote, noteSize } from '../../document/notes.ts'
import { cardBoxes, selectOnly } from '../../state/canvas.ts'
import type { Editor } from '../../state/editor.ts'
import { afterPaint } from '../after-paint.ts'
import { announce } from './announce.ts'
import { bringIntoView, inspect } from './focus.ts'
import { writeAutoPositions } from './move.ts'

/** The margin around the selected cards. The space above them is for the text. */
const margin = 24
const textHeight = 48

/** Adds a note behind the selected cards, or in the middle of the view, and focuses its text field. */
export function writeNote(editor: Editor): void {
  const boxes = [...cardBoxes(editor, editor.document.getState().selection).values()]
  const { x, y, width, height } = boxes.length === 0 ? inTheMiddle(editor) : around(boxes)
  let id = ''
  editor.document.getState().change('Add a note', (document) => {
    writeAutoPositions(editor, document)
    id = addNote(document, { at: { x, y }, size: { width, height }, text: '', color: 'yellow' })
  })
  selectOnly(editor, id)
  announce(editor, 'Added a note.')
  inspect(editor, id)
  afterPaint(() => bringIntoView(editor, id))
}

function around(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x)) - margin
  const y = Math.min(...boxes.map((box) => box.y)) - margin - textHeight
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) + margin - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) + margin - y,
  }
}

function inTheMiddle({ view: { flow, element } }: Editor): Box {
  const frame = element?.getBoundingClientRect()
  const middle = flow?.screenToFlowPosition({
    x: (frame?.x ?? 0) + (frame?.width ?? 0) / 2,
    y: (frame?.y ?? 0) + (frame?.height ?? 0) / 2,
  })
  return { x: (middle?.x ?? 0) - noteSize.width / 2, y: (middle?.y ?? 0) - noteSize.height / 2, ...noteSize }
}
