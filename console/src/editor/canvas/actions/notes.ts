import type { Box } from '../../document/geometry.ts'
import { addNote, noteSize } from '../../document/notes.ts'
import { boxesOn, type Canvas, selectOnly } from '../../state/canvas-model.ts'
import { whenDrawn } from '../when-drawn.ts'
import { bringIntoView, inspect } from './focus.ts'
import { settlePlaces } from './move.ts'
import { say } from './say.ts'

/** Room around the cards that a note is put behind; above, for its text. */
const margin = 24
const textHeight = 48

/** A note behind the cards that are selected, else in the middle of the view; its text is asked for. */
export function writeNote(canvas: Canvas): void {
  const { editor } = canvas
  const boxes = [...boxesOn(canvas, editor.getState().selection).values()]
  const { x, y, width, height } = boxes.length === 0 ? inTheMiddle(canvas) : around(boxes)
  let id = ''
  editor.getState().change('Add a note', (document) => {
    settlePlaces(canvas, document)
    id = addNote(document, { at: { x, y }, size: { width, height }, text: '', color: 'yellow' })
  })
  selectOnly(canvas, id)
  say(canvas, 'Added a note.')
  inspect(canvas, id)
  whenDrawn(() => bringIntoView(canvas, id))
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

function inTheMiddle({ flow, root }: Canvas): Box {
  const frame = root?.getBoundingClientRect()
  const middle = flow?.screenToFlowPosition({
    x: (frame?.x ?? 0) + (frame?.width ?? 0) / 2,
    y: (frame?.y ?? 0) + (frame?.height ?? 0) / 2,
  })
  return { x: (middle?.x ?? 0) - noteSize.width / 2, y: (middle?.y ?? 0) - noteSize.height / 2, ...noteSize }
}
