/** Copy, cut and paste. The text is JSON, and any workflow document can be pasted. */

import type { WorkflowDocument } from '../../../api/workflow-document.ts'
import { copyText, cornerOf, pasteNodes, pasteWorkflow, readText } from '../../document/clipboard.ts'
import type { Point } from '../../document/geometry.ts'
import { arrange, positionsOf, setPositions } from '../../document/layout.ts'
import { notesOf } from '../../document/notes.ts'
import { outputId } from '../../document/wires.ts'
import { cardPositions } from '../../state/canvas.ts'
import type { Editor } from '../../state/editor.ts'
import { announce, announceError } from './announce.ts'
import { removeSelection } from './change.ts'
import { reveal } from './focus.ts'
import { fit, writeAutoPositions } from './move.ts'

export function selectionText(editor: Editor): string | undefined {
  const { document, selection } = editor.document.getState()
  return copyText(document, selection, cardPositions(editor))
}

export function copySelection(editor: Editor): void {
  const text = selectionText(editor)
  if (text === undefined) return
  void writeClipboard(text).then(
    () => announce(editor, 'Copied.'),
    () => announceError(editor, 'The browser blocks access to the clipboard. Use the keyboard shortcut.'),
  )
}

export function cutSelection(editor: Editor): void {
  copySelection(editor)
  removeSelection(editor)
}

export async function pasteFromClipboard(editor: Editor): Promise<void> {
  try {
    await pasteText(editor, await navigator.clipboard.readText())
  } catch {
    announceError(editor, 'The browser blocks access to the clipboard. Use the keyboard shortcut.')
  }
}

/** False if the text contains no workflow. `at`: the position of its upper left corner. `name`: the name of its file. */
export async function pasteText(editor: Editor, text: string, at?: Point, name = 'The pasted text'): Promise<boolean> {
  const pasted = await readText(text)
  if (pasted === undefined) {
    announceError(editor, `${name} isn’t a workflow document or a part of one.`)
    return false
  }
  const { catalogue } = editor
  const { document, change, select } = editor.document.getState()
  const isLaidOut = Object.keys(pasted.document.nodes).every((id) => positionsOf(pasted.document).has(id))
  if (!isLaidOut) {
    const positions = await arrange(pasted.document, catalogue)
    setPositions(pasted.document, positions)
  }
  if (Object.keys(document.nodes).length === 0 && pasted.isComplete) {
    editor.view.autoPositions.clear()
    change('Paste a workflow', (draft) => pasteWorkflow(draft, pasted.document, draft.name !== 'Untitled'))
    fit(editor)
    announce(editor, 'Pasted a workflow.')
    return true
  }
  let ids: string[] = []
  const count = Object.keys(pasted.document.nodes).length
  const noun = count === 0 ? 'notes' : count === 1 ? 'a node' : `${count} nodes`
  change(`Paste ${noun}`, (draft) => {
    writeAutoPositions(editor, draft)
    ids = pasteNodes(draft, pasted.document, at ?? pastePosition(editor, pasted.document))
  })
  select(ids)
  announce(editor, `Pasted ${noun}.`)
  if (ids[0] !== undefined) reveal(editor, ids[0])
  return true
}

/** The position of the copied nodes, with an offset, if it is visible. Otherwise a position in the view. */
function pastePosition(
  { document: store, view: { flow, element } }: Editor,
  pasted: WorkflowDocument,
): Point | undefined {
  const cards = [...positionsOf(pasted)].filter(([id]) => id !== outputId).map(([, position]) => position)
  const all = [...cards, ...notePositions(pasted)]
  const frame = element?.getBoundingClientRect()
  if (all.length === 0 || frame === undefined || flow === undefined) return undefined
  const corner = cornerOf(all)
  const low = flow.screenToFlowPosition({ x: frame.left, y: frame.top })
  const high = flow.screenToFlowPosition({ x: frame.right, y: frame.bottom })
  const isInSight = corner.x >= low.x && corner.x < high.x - 100 && corner.y >= low.y && corner.y < high.y - 100
  if (!isInSight) return { x: low.x + (high.x - low.x) / 3, y: low.y + (high.y - low.y) / 3 }
  const { document } = store.getState()
  const occupied = new Set(
    [...positionsOf(document).values(), ...notePositions(document)].map(({ x, y }) => `${x} ${y}`),
  )
  let { x, y } = corner
  while (occupied.has(`${Math.round(x)} ${Math.round(y)}`)) {
    x += 32
    y += 32
  }
  return { x, y }
}

function notePositions(document: WorkflowDocument): Point[] {
  return [...notesOf(document).values()].map(({ at }) => at)
}

/** A page without HTTPS has no clipboard API, so the older command is used. */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  if (!isDone) throw new Error('copy is not allowed')
}
