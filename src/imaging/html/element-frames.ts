/** Boxes of elements in the image, from the layout that the renderer measured. */
import type { MeasuredNode, Node } from '@takumi-rs/core'
import type { Frame } from '../../../shared/frames.ts'
import { limits } from '../../limits.ts'
import { type BoxRule, boxKindOf, namesOf } from './box-kinds.ts'

interface Options {
  /** Pixels of the image for each CSS pixel. */
  scale: number
  rules: readonly BoxRule[]
}

interface Place {
  node: Node
  layout: MeasuredNode
  outer: ReadonlySet<string>
  isItem: boolean
}

/**
 * Elements that have an id or contain text, and images, in the order of the document. `measured`: the layout of `root`. Leaves out an
 * element whose box isn't known for sure: the renderer names none.
 */
export function elementFrames(root: Node, measured: MeasuredNode, { scale, rules }: Options): Frame[] {
  const ids = idsOf(root)
  const frames: Frame[] = []
  const waiting: Place[] = [{ node: root, layout: measured, outer: new Set(), isItem: false }]
  for (let next = waiting.pop(); next && frames.length < limits.stepFramesMax; next = waiting.pop()) {
    const { node, layout, outer, isItem } = next
    const names = namesOf(node)
    const { hasBox, hasItems } = boxKindOf(node, names, { rules, outer, isItem })
    const id = hasBox ? ids.get(node) : undefined
    if (id !== undefined && layout.width > 0 && layout.height > 0) frames.push({ id, ...shapeOf(layout, scale) })
    const around = outer.union(names)
    for (const [child, childLayout] of childrenOf(node, layout).reverse())
      waiting.push({ node: child, layout: childLayout, outer: around, isItem: hasItems })
  }
  return frames
}

/** Children with their boxes: of all elements, or of those in a line that have a box. Empty if it isn't clear which box is whose. */
function childrenOf(node: Node, { children, runs }: MeasuredNode): [Node, MeasuredNode][] {
  const inner = node.type === 'container' ? (node.children ?? []).filter((child) => !isBlank(child)) : []
  const elements = inner.filter((child) => !isText(child))
  const candidates = [...(runs.length === 0 ? [inner] : []), elements, elements.filter(({ type }) => type === 'image')]
  const found = candidates.find((nodes) => nodes.length === children.length) ?? []
  const pairs = found.map((child, at): [Node, MeasuredNode] => [child, children[at] as MeasuredNode])
  return pairs.every(isPair) ? pairs : []
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
function isText(node: Node): boolean {
  return node.type === 'text' || (node.type === 'container' && node.tagName === undefined)
}

function isBlank(node: Node): boolean {
  return node.type === 'text' && node.text.trim() === ''
}

/** `#title` for an element with an id, else its name and its number among the elements of this name: `h1`, `p`, `p-2`. */
function idsOf(root: Node): Map<Node, string> {
  const ids = new Map<Node, string>()
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  const waiting = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const children = node.type === 'container' ? (node.children ?? []) : []
    waiting.push(...children.toReversed())
    const { tagName, id } = node
    if (tagName === undefined) continue
    const count = (counts.get(tagName) ?? 0) + 1
    counts.set(tagName, count)
    const own = id === undefined || id === '' ? undefined : `#${id}`
    const hasText = children.some((child) => isText(child) && !isBlank(child))
    if (own === undefined && node.type !== 'image' && !hasText) continue
    const name = own !== undefined && !taken.has(own) ? own : count === 1 ? tagName : `${tagName}-${count}`
    taken.add(name)
    ids.set(node, name)
  }
  return ids
}

/** A box with its rotation, or the corners of one that is skewed or mirrored. */
function shapeOf({ width, height, transform }: MeasuredNode, scale: number): Omit<Frame, 'id'> {
  const [a, b, c, d, e, f] = transform
  const at = (x: number, y: number): [number, number] => [(a * x + c * y + e) * scale, (b * x + d * y + f) * scale]
  const common = { of: 'result', binds: {} } as const
  const [across, down] = [Math.hypot(a, b), Math.hypot(c, d)]
  if (a * d - b * c <= 0 || Math.abs(a * c + b * d) > 0.001 * across * down)
    return { kind: 'quad', points: [at(0, 0), at(width, 0), at(width, height), at(0, height)], ...common }
  const [x, y] = at(width / 2, height / 2)
  const [halfWidth, halfHeight] = [(width * across * scale) / 2, (height * down * scale) / 2]
  const rotation = (Math.atan2(b, a) * 180) / Math.PI
  const points: Frame['points'] = [
    [x - halfWidth, y - halfHeight],
    [x + halfWidth, y + halfHeight],
  ]
  return { kind: 'box', points, ...(Math.abs(rotation) > 0.005 && { rotation }), ...common }
}
