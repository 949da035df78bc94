/** Finds out which box of a layout is that of which element: the renderer names none. */
import type { MeasuredNode, Node } from '@takumi-rs/core'
import type { Generated } from './box-kinds.ts'

/** Whether the element may have content before or after its own. */
type Generates = Readonly<Record<Generated, boolean>>

/** Children with their boxes: of all elements, or of those in a line that have a box. Empty if it isn't clear which box is whose. */
export function childrenOf(node: Node, layout: MeasuredNode, generates: Generates): [Node, MeasuredNode][] {
  const inner = node.type === 'container' ? (node.children ?? []).filter((child) => !isBlank(child)) : []
  const elements = inner.filter((child) => !isText(child))
  const candidates = [
    ...(layout.runs.length === 0 ? [inner] : []),
    elements,
    elements.filter(({ type }) => type === 'image'),
  ]
  for (const nodes of candidates) {
    const pairs = pairsOf(nodes, layout.children, generates)
    if (pairs) return pairs
  }
  return []
}

/** Nodes and boxes, without the boxes of generated content. Undefined for other numbers of both, or if more than one way is possible. */
function pairsOf(
  nodes: Node[],
  boxes: readonly MeasuredNode[],
  generates: Generates,
): [Node, MeasuredNode][] | undefined {
  const extra = boxes.length - nodes.length
  const firsts = [0, 1].filter((first) => {
    const last = extra - first
    return (first === 0 || generates.before) && (last === 0 || (last === 1 && generates.after))
  })
  if (firsts.length === 0) return undefined
  const possible = firsts
    .map((first) => nodes.map((node, at): [Node, MeasuredNode] => [node, boxes[first + at] as MeasuredNode]))
    .filter((pairs) => pairs.every(isPair))
  return possible.length === 1 ? possible[0] : []
}

const lettersMax = 2_000
const runsMax = 5

/** Whether the box can be that of the element: the box of generated content has none of its text. */
function isPair([node, layout]: [Node, MeasuredNode]): boolean {
  const [letters, runs] = [lettersIn(node), runsIn(layout)]
  if (letters === '' || runs.length === 0) return letters === '' && runs.length === 0
  return runs.some((run) => letters.includes(run))
}

/** The first letters of its texts. */
function lettersIn(node: Node): string {
  let letters = ''
  const waiting = [node]
  for (let next = waiting.pop(); next && letters.length < lettersMax; next = waiting.pop()) {
    if (next.type === 'text') letters += lettersOf(next.text)
    else if (next.type === 'container') waiting.push(...(next.children ?? []).toReversed())
  }
  return letters
}

/** The letters of its first lines. */
function runsIn(layout: MeasuredNode): string[] {
  const runs: string[] = []
  const waiting = [layout]
  for (let next = waiting.pop(); next && runs.length < runsMax; next = waiting.pop()) {
    runs.push(...next.runs.map(({ text }) => lettersOf(text)).filter((text) => text !== ''))
    waiting.push(...next.children.toReversed())
  }
  return runs
}

/** A layout can have letters in another case, and spaces and hyphens that the text doesn't have. */
function lettersOf(text: string): string {
  const first = text.slice(0, lettersMax)
  return first.replaceAll(/[^\p{L}\p{N}\p{Extended_Pictographic}]/gu, '').toLowerCase()
}

/** A text, or its parts (`splitTexts`). */
export function isText(node: Node): boolean {
  return node.type === 'text' || (node.type === 'container' && node.tagName === undefined)
}

export function isBlank(node: Node): boolean {
  return node.type === 'text' && node.text.trim() === ''
}
