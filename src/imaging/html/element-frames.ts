/** Boxes of elements in the image, from the layout that the renderer measured. */
import type { MeasuredNode, Node } from '@takumi-rs/core'
import type { Frame } from '../../../shared/frames.ts'
import { limits } from '../../limits.ts'
import { type BoxRule, boxKindOf, mayGenerate, namesOf } from './box-kinds.ts'
import { childrenOf, isBlank, isText } from './paired-boxes.ts'
import { partsOfLines } from './parts-of-lines.ts'

interface Place {
  node: Node
  layout: MeasuredNode
  outer: ReadonlySet<string>
  isItem: boolean
}

/**
 * Elements that have an id or contain text, and images, in the order of the document. `measured`: the layout of `root`, in pixels of the image. Leaves out an
 * element whose box isn't known for sure: the renderer names none.
 */
export function elementFrames(root: Node, measured: MeasuredNode, rules: readonly BoxRule[]): Frame[] {
  const ids = idsOf(root)
  const found = new Map<Node, MeasuredNode>()
  const waiting: Place[] = [{ node: root, layout: measured, outer: new Set(), isItem: false }]
  for (let next = waiting.pop(); next && found.size < limits.stepFramesMax; next = waiting.pop()) {
    const { node, layout, outer, isItem } = next
    const names = namesOf(node)
    const { hasBox, isRun, hasEdges, hasItems } = boxKindOf(node, names, { rules, outer, isItem })
    if (hasBox && ids.has(node) && layout.width > 0 && layout.height > 0) found.set(node, layout)
    const around = outer.union(names)
    if (layout.runs.length > 0 && !hasEdges)
      for (const [part, box] of partsOfLines(isRun ? lineOf(node) : node, layout, {
        rules,
        outer: isRun ? outer : around,
      }))
        if (ids.has(part)) found.set(part, box)
    const generates = {
      before: mayGenerate('before', names, { rules, outer }),
      after: mayGenerate('after', names, { rules, outer }),
    }
    for (const [child, childLayout] of childrenOf(node, layout, generates).reverse())
      waiting.push({ node: child, layout: childLayout, outer: around, isItem: hasItems })
  }
  return [...ids]
    .flatMap(([node, id]) => {
      const layout = found.get(node)
      return layout ? [{ id, ...shapeOf(layout) }] : []
    })
    .slice(0, limits.stepFramesMax)
}

/** A part of a line that is alone between blocks has a box with lines around it. */
function lineOf(node: Node): Node {
  return { type: 'container', children: [node] }
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
function shapeOf({ width, height, transform }: MeasuredNode): Omit<Frame, 'id'> {
  const [a, b, c, d, e, f] = transform
  const at = (x: number, y: number): [number, number] => [a * x + c * y + e, b * x + d * y + f]
  const common = { of: 'result', binds: {} } as const
  const [across, down] = [Math.hypot(a, b), Math.hypot(c, d)]
  if (a * d - b * c <= 0 || Math.abs(a * c + b * d) > 0.001 * across * down)
    return { kind: 'quad', points: [at(0, 0), at(width, 0), at(width, height), at(0, height)], ...common }
  const [x, y] = at(width / 2, height / 2)
  const [halfWidth, halfHeight] = [(width * across) / 2, (height * down) / 2]
  const rotation = (Math.atan2(b, a) * 180) / Math.PI
  const points: Frame['points'] = [
    [x - halfWidth, y - halfHeight],
    [x + halfWidth, y + halfHeight],
  ]
  return { kind: 'box', points, ...(Math.abs(rotation) > 0.005 && { rotation }), ...common }
}
