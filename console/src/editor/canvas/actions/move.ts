/** Moves cards. */

import type { WorkflowDocument } from '../../../api/workflow-document.ts'
import { motionMs } from '../../../ui/motion.ts'
import { align, distribute, type Side } from '../../document/align.ts'
import type { Point, Size } from '../../document/geometry.ts'
import { arrange, positionsOf, setPositions } from '../../document/layout.ts'
import { changeNote, isNote } from '../../document/notes.ts'
import { outputId } from '../../document/wires.ts'
import { cardBoxes, cardPositions } from '../../state/canvas.ts'
import type { Editor } from '../../state/editor.ts'
import { afterPaint } from '../after-paint.ts'
import { announce } from './announce.ts'

/**
 * Writes the missing positions to the document, so that cards that are not moved stay where they are. The output card
 * follows its source until cards are moved by hand.
 */
export function writeAutoPositions(editor: Editor, document: WorkflowDocument, withOutput = false): void {
  const stored = positionsOf(document)
  const missing = [...cardPositions(editor)].filter(([id]) => !stored.has(id) && (withOutput || id !== outputId))
  if (missing.length > 0) setPositions(document, missing)
}

/** `mergeAs`: successive moves with the same name are undone together. */
export function moveCards(editor: Editor, label: string, moved: ReadonlyMap<string, Point>, mergeAs?: string): void {
  const positions = cardBoxes(editor, [...moved.keys()])
  const changed = [...moved].filter(([id, { x, y }]) => {
    const position = positions.get(id)
    return (
      position === undefined || Math.round(x) !== Math.round(position.x) || Math.round(y) !== Math.round(position.y)
    )
  })
  if (changed.length === 0) return
  editor.document.getState().change(
    label,
    (document) => {
      writeAutoPositions(editor, document, true)
      setPositions(
        document,
        changed.filter(([id]) => !isNote(id)),
      )
      for (const [id, at] of changed) changeNote(document, id, { at })
    },
    mergeAs === undefined ? {} : { key: mergeAs },
  )
}

export function nudge(editor: Editor, dx: number, dy: number): void {
  const { selection } = editor.document.getState()
  const moved = [...cardBoxes(editor, selection)].map(([id, { x, y }]) => [id, { x: x + dx, y: y + dy }] as const)
  moveCards(editor, 'Move', new Map(moved), `nudge ${selection.join(' ')}`)
}

export function alignSelection(editor: Editor, side: Side): void {
  moveCards(editor, `Align ${side}`, align(cardBoxes(editor, editor.document.getState().selection), side))
}

export function distributeSelection(editor: Editor, axis: 'x' | 'y'): void {
  const label = axis === 'x' ? 'Distribute horizontally' : 'Distribute vertically'
  moveCards(editor, label, distribute(cardBoxes(editor, editor.document.getState().selection), axis))
}

/** Arranges all cards in layers. */
export async function arrangeAll(editor: Editor): Promise<void> {
  const { document } = editor.document.getState()
  const ids = [...Object.keys(document.nodes), outputId]
  const sizes = new Map<string, Size>(cardBoxes(editor, ids))
  moveCards(editor, 'Arrange', await arrange(document, editor.catalogue, sizes))
  announce(editor, 'Arranged.')
  fit(editor)
}

/** Space for the elements above the canvas: the problem list at the top, the tools at the bottom. */
export const fitPadding = { top: '64px', right: '40px', bottom: '68px', left: '40px' } as const

/** A wide window shows a small graph larger: at 1440 pixels in its size, at 2560 pixels 1.8 times as large. */
export function fitZoomMax(width: number): number {
  return Math.min(2, Math.max(1, width / 1_440))
}

export function fit({ view: { flow } }: Editor, ids?: readonly string[]): void {
  afterPaint(
    () =>
      void flow?.fitView({
        padding: fitPadding,
        maxZoom: fitZoomMax(window.innerWidth),
        duration: motionMs(200),
        ...(ids === undefined ? {} : { nodes: ids.map((id) => ({ id })) }),
      }),
  )
}
