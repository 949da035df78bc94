/** Boxes of parts of a line, such as a bold word: the layout has no box of an element in a line, but the runs of its text. */
import type { MeasuredNode, MeasuredTextRun, Node } from '@takumi-rs/core'
import { type BoxContext, boxKindOf, namesOf } from './box-kinds.ts'

/** A text of the block, with the parts around it from the outside to the inside. */
interface Text {
  characters: string
  parts: readonly Part[]
}

interface Part {
  node: Node
  /** Whether its box, and those in it, are the boxes of their runs. */
  isRun: boolean
}

/** `outer`: names of the block and the elements around. Leaves out a part in several lines, and one with edges that its text doesn't show. */
export function partsOfLines(
  block: Node,
  layout: MeasuredNode,
  around: Pick<BoxContext, 'rules' | 'outer'>,
): [Node, MeasuredNode][] {
  const texts = textsIn(block, around)
  if (texts.every(({ parts }) => parts.length === 0)) return []
  const drawn = layout.runs.map(({ text }) => charactersOf(text))
  const [all, written] = [drawn.join(''), texts.map(({ characters }) => characters).join('')]
  const start = all.indexOf(written)
  // Generated content around the texts is possible, but not in them.
  if (written === '' || start === -1 || all.lastIndexOf(written) !== start) return []
  const ranges = rangesOf(texts, start)
  return [...ranges].flatMap(([part, { from, to, own }]) => {
    const box = part.isRun
      ? boxOf(runsBetween(layout.runs, drawn, { from, to }), runsBetween(layout.runs, drawn, own))
      : undefined
    return box ? [[part.node, placed(box, layout)]] : []
  })
}

function textsIn(block: Node, { rules, outer }: Pick<BoxContext, 'rules' | 'outer'>): Text[] {
  const texts: Text[] = []
  const visit = (node: Node, parts: readonly Part[], names: ReadonlySet<string>) => {
    for (const child of node.type === 'container' ? (node.children ?? []) : []) {
      if (child.type === 'text' && child.tagName === undefined)
        texts.push({ characters: charactersOf(child.text), parts })
      else if (child.type === 'container' && child.tagName === undefined) visit(child, parts, names)
      else if (child.type === 'container') {
        const own = namesOf(child)
        const { hasBox, isRun } = boxKindOf(child, own, { rules, outer: names, isItem: false })
        if (hasBox || !isRun) for (const part of parts) part.isRun = false
        if (!hasBox) visit(child, [...parts, { node: child, isRun }], names.union(own))
      } else if (child.type === 'image') for (const part of parts) part.isRun = false
    }
  }
  visit(block, [], outer)
  return texts
}

/** Positions in the characters of the block: of all of a part, and of its first own text, which has its font. */
function rangesOf(texts: readonly Text[], start: number) {
  const ranges = new Map<Part, { from: number; to: number; own: { from: number; to: number } }>()
  let from = start
  for (const { characters, parts } of texts) {
    const to = from + characters.length
    for (const part of characters === '' ? [] : parts) {
      const known = ranges.get(part)
      const own = part === parts.at(-1) ? { from, to } : { from, to: from }
      if (known === undefined) ranges.set(part, { from, to, own })
      else ranges.set(part, { from: known.from, to, own: known.own.to > known.own.from ? known.own : own })
    }
    from = to
  }
  return ranges
}

/** The runs with these characters, and no others. Undefined if a run has characters of both. */
function runsBetween(
  runs: readonly MeasuredTextRun[],
  drawn: readonly string[],
  { from, to }: { from: number; to: number },
) {
  const found: MeasuredTextRun[] = []
  let at = 0
  for (const [index, run] of runs.entries()) {
    const end = at + (drawn[index] ?? '').length
    if (end > at && end > from && at < to) {
      if (at < from || end > to) return undefined
      found.push(run)
    }
    at = end
  }
  return found
}

type Box = Pick<MeasuredTextRun, 'x' | 'y' | 'width' | 'height'>

/** Letters of the included families, and of nearly all others. The run of another letter can be as high as another font. */
const ownLetters = /[\p{Script=Latin}\d]/u

/** Undefined for several lines, and if it isn't known which font gives the height. */
function boxOf(
  runs: readonly MeasuredTextRun[] | undefined,
  own: readonly MeasuredTextRun[] | undefined,
): Box | undefined {
  const first = own?.find(({ text }) => ownLetters.test(text))
  if (!runs || !first) return undefined
  const isLine = runs.every(({ x, y, height }, at) => {
    const before = runs[at - 1]
    return !before || (x >= before.x && y < before.y + before.height && before.y < y + height)
  })
  if (!isLine) return undefined
  const [left, right] = [Math.min(...runs.map(({ x }) => x)), Math.max(...runs.map(({ x, width }) => x + width))]
  return { x: left, y: first.y, width: right - left, height: first.height }
}

/** The box in the image, as a layout. */
function placed({ x, y, width, height }: Box, { transform: [a, b, c, d, e, f] }: MeasuredNode): MeasuredNode {
  return { width, height, transform: [a, b, c, d, a * x + c * y + e, b * x + d * y + f], children: [], runs: [] }
}

/** The text without white space and invisible characters, which a layout can change. */
function charactersOf(text: string): string {
  return text.replaceAll(/[\s\p{Cf}\p{Mn}]/gu, '').toLowerCase()
}
