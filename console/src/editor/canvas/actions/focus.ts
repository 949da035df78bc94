/** The keyboard focus on the canvas. */

import { operationOf } from '../../../api/operations.ts'
import { motionMs } from '../../../ui/motion.ts'
import { hasMovedToField } from '../../../ui/moved-focus.ts'
import { isNote } from '../../document/notes.ts'
import { dependenciesOf, outputId, sourcesOf, wiresOf } from '../../document/wires.ts'
import { cardBoxes, cardPositions, selectOnly } from '../../state/canvas.ts'
import type { Editor } from '../../state/editor.ts'
import { afterPaint } from '../after-paint.ts'

/** The minimum distance of a shown card from the edge, in pixels of the window. */
const margin = 24

export function focusCard(editor: Editor, id: string): void {
  cardElement(editor, id)?.focus({ preventScroll: true })
}

/** Focuses the only selected card, or the canvas. */
export function focusSelected(editor: Editor): void {
  const [id, ...others] = editor.document.getState().selection
  const card = id === undefined || others.length > 0 ? null : cardElement(editor, id)
  const element = card ?? editor.view.element
  element?.focus({ preventScroll: true })
}

export function cardElement({ view }: Editor, id: string): HTMLElement | null {
  return view.element?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`) ?? null
}

/** Selects the card, and shows it. */
export function goToCard(editor: Editor, id: string): void {
  selectOnly(editor, id)
  reveal(editor, id)
}

/** The card with the focus, or the only selected card. */
export function currentCard(editor: Editor): string | undefined {
  const focused = document.activeElement?.closest<HTMLElement>('.react-flow__node')
  if (focused && editor.view.element?.contains(focused)) return focused.dataset.id
  const { selection } = editor.document.getState()
  return selection.length === 1 ? selection[0] : undefined
}

/** Focuses the first field of a card in the inspector. Required fields come first. */
export function inspect(editor: Editor, id: string): void {
  const { document: workflow, focusOn } = editor.document.getState()
  if (id === outputId) {
    focusOn('output.format')
    return
  }
  if (isNote(id)) {
    focusOn(`layout.${id}.text`)
    return
  }
  const operation = operationOf(editor.catalogue, workflow.nodes[id])
  const { required = [], properties = {} } = (operation?.params ?? {}) as { required?: string[]; properties?: object }
  const param = required[0] ?? Object.keys(properties)[0]
  const socket = operation?.inputs[0]?.name
  if (param !== undefined) focusOn(`nodes.${id}.params.${param}`)
  else focusOn(socket === undefined ? `nodes.${id}.id` : `nodes.${id}.inputs.${socket}`)
}

/** Whether the node returns an image, which the stage can show. */
export function hasPicture(editor: Editor, id: string | undefined): boolean {
  const node = id === undefined ? undefined : editor.document.getState().document.nodes[id]
  return node !== undefined && operationOf(editor.catalogue, node)?.outputs.image !== null
}

/** Shows the picture of the node in the entire window. */
export function openStage(editor: Editor, id: string): void {
  selectOnly(editor, id)
  editor.canvas.setState({ isStageOpen: true, menu: undefined })
}

/**
 * Focuses the selected card after it is rendered, and moves the view if parts of the card are outside. A field that got the
 * focus since `before` had it keeps it, and so does the canvas if the selection was changed.
 */
export function reveal(editor: Editor, id: string, before = document.activeElement): void {
  afterPaint(() => {
    const isSelected = editor.document.getState().selection.includes(id)
    if (isSelected && !hasMovedToField(before)) focusCard(editor, id)
    bringIntoView(editor, id)
  })
}

export function bringIntoView(editor: Editor, id: string): void {
  const { flow, element } = editor.view
  const box = cardBoxes(editor, [id]).get(id)
  if (box === undefined || flow === undefined || element === undefined) return
  const frame = element.getBoundingClientRect()
  const { x: left, y: top } = flow.flowToScreenPosition(box)
  const { x: right, y: bottom } = flow.flowToScreenPosition({ x: box.x + box.width, y: box.y + box.height })
  const by = (from: number, to: number, low: number, high: number) =>
    from < low + margin ? low + margin - from : to > high - margin ? high - margin - to : 0
  const dx = by(left, right, frame.left, frame.right)
  const dy = by(top, bottom, frame.top, frame.bottom)
  if (dx === 0 && dy === 0) return
  const { x, y, zoom } = flow.getViewport()
  void flow.setViewport({ x: x + dx, y: y + dy, zoom }, { duration: motionMs(150) })
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/** Left: the source of a node. Right: the node that reads it. Up and down: the nearest card. */
export function focusNeighbour(editor: Editor, direction: Direction): void {
  const id = currentCard(editor) ?? firstCard(editor)
  if (id === undefined) return
  const next = neighbour(editor, id, direction)
  if (next === undefined) return
  goTo(editor, next)
}

/** Focuses the current card, or the first card. */
export function focusCurrentCard(editor: Editor): void {
  const id = currentCard(editor) ?? firstCard(editor)
  if (id !== undefined) goTo(editor, id)
}

function goTo(editor: Editor, id: string): void {
  selectOnly(editor, id)
  focusCard(editor, id)
  bringIntoView(editor, id)
}

function firstCard(editor: Editor): string | undefined {
  const positions = [...cardPositions(editor)]
  return positions.toSorted(([, a], [, b]) => a.x - b.x || a.y - b.y)[0]?.[0]
}

function neighbour(editor: Editor, id: string, direction: Direction): string | undefined {
  const { document } = editor.document.getState()
  const positions = cardPositions(editor)
  const from = positions.get(id)
  if (from === undefined) return undefined
  const before = (node: string) =>
    node === outputId
      ? wiresOf(document).flatMap(({ source, target }) => (target === outputId ? [source] : []))
      : Object.values(document.nodes[node]?.inputs ?? {}).flatMap(sourcesOf)
  const others = [...Object.keys(document.nodes), outputId]
  if (direction === 'left') return (before(id)[0] ?? dependenciesOf(document).get(id)?.[0]) || undefined
  if (direction === 'right') return others.find((other) => before(other).includes(id))
  const side = direction === 'up' ? -1 : 1
  const beyond = others
    .flatMap((other) => {
      const position = positions.get(other)
      return position === undefined || other === id || (position.y - from.y) * side <= 0 ? [] : [{ other, position }]
    })
    .toSorted((a, b) => far(a.position, from) - far(b.position, from))
  return beyond[0]?.other
}

/** Cards in the same column count as nearer. */
function far(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.abs(a.y - b.y) + 2 * Math.abs(a.x - b.x)
}
