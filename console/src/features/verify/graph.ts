/**
 * The history as a graph: the verified file on the right, its ingredients to the left, and the actions between them. A tree
 * needs no layout library: each image gets a band of rows, which keeps the order of its ingredients.
 */
import type { CredentialAction } from '../../api/credentials.ts'
import type { HistoryImage } from './history.ts'

interface PlacedNode {
  /** Id of an image; otherwise the id of the image with a suffix. Otherwise the id of the image with a suffix. */
  id: string
  /** The next one to the right. Undefined for the verified file. */
  next: string | undefined
  /** The upper left corner. */
  x: number
  y: number
  width: number
  height: number
}

export type GraphNode = PlacedNode &
  (
    | { kind: 'image'; image: HistoryImage }
    | { kind: 'actions'; image: HistoryImage; actions: readonly CredentialAction[] }
    /** Stands for ingredients that are not shown. */
    | { kind: 'more'; image: HistoryImage; count: number }
  )

/** Ingredients of one image that are visible in the beginning, and each time when more of them are shown. */
const firstShown = 8
export const shownStep = 40

const imageSize = { width: 216, height: 116 }
const moreSize = { width: 216, height: 44 }
export const actionsShown = 6
const actionsWidth = 184
const actionHeight = 22
const actionsHead = 40
const gap = { x: 36, y: 20 }

/** `shown`: id of an image -> the number of its ingredients that are visible. */
export function graphOf(root: HistoryImage, shownCounts: ShownCounts = new Map()): GraphNode[] {
  const nodes: GraphNode[] = []
  place({ image: root, next: undefined, right: 0, top: 0 }, shownCounts, nodes)
  return nodes
}

interface Placement {
  image: HistoryImage
  next: string | undefined
  right: number
  top: number
}

type ShownCounts = ReadonlyMap<string, number>

/** Places the image with everything to the left of it. Returns the center of the image. */
function place({ image, next, right, top }: Placement, shownCounts: ShownCounts, nodes: GraphNode[]): number {
  const { id } = image
  const actions = image.credentials?.actions ?? []
  const actionsId = `${id} actions`
  const source = actions.length > 0 ? actionsId : id
  const actionsRight = right - imageSize.width - gap.x
  const columnRight = actionsRight - actionsWidth - gap.x
  const { visible, hidden } = partsOf(image, shownCounts)
  const height = bandOf(image, shownCounts)

  let y = top + (height - columnOf(image, shownCounts)) / 2
  const centers: number[] = []
  for (const part of visible) {
    centers.push(place({ image: part, next: source, right: columnRight, top: y }, shownCounts, nodes))
    y += bandOf(part, shownCounts) + gap.y
  }
  if (hidden > 0) {
    const more = { id: `${id} more`, next: source, x: columnRight - moreSize.width, y, ...moreSize }
    nodes.push({ ...more, kind: 'more', image, count: hidden })
    centers.push(y + moreSize.height / 2)
  }
  const actionsHeight = heightOfActions(actions.length)
  const half = Math.max(imageSize.height, actionsHeight) / 2
  const middle = centers.length === 0 ? top + height / 2 : ((centers[0] ?? 0) + (centers.at(-1) ?? 0)) / 2
  const center = Math.min(Math.max(middle, top + half), top + height - half)
  if (actions.length > 0) {
    const position = { x: actionsRight - actionsWidth, y: center - actionsHeight / 2 }
    const size = { width: actionsWidth, height: actionsHeight }
    nodes.push({ id: actionsId, next: id, ...position, ...size, kind: 'actions', image, actions })
  }
  const position = { x: right - imageSize.width, y: center - imageSize.height / 2 }
  nodes.push({ id, next, ...position, ...imageSize, kind: 'image', image })
  return center
}

function partsOf(
  { id, ingredients }: HistoryImage,
  shownCounts: ShownCounts,
): { visible: HistoryImage[]; hidden: number } {
  const visible = ingredients.slice(0, shownCounts.get(id) ?? firstShown)
  return { visible, hidden: ingredients.length - visible.length }
}

/** The height of the image with everything to the left of it. */
function bandOf(image: HistoryImage, shownCounts: ShownCounts): number {
  const actions = heightOfActions(image.credentials?.actions.length ?? 0)
  return Math.max(imageSize.height, actions, columnOf(image, shownCounts))
}

/** The height of the ingredients. */
function columnOf(image: HistoryImage, shownCounts: ShownCounts): number {
  const { visible, hidden } = partsOf(image, shownCounts)
  const heights = [...visible.map((node) => bandOf(node, shownCounts)), ...(hidden > 0 ? [moreSize.height] : [])]
  return heights.reduce((sum, height) => sum + height + gap.y, -gap.y)
}

/** Height of a card with the first actions, and a row for the others. */
function heightOfActions(count: number): number {
  return count === 0 ? 0 : actionsHead + Math.min(count, actionsShown + 1) * actionHeight
}

/** The box around all nodes. */
export function boundsOf(nodes: readonly GraphNode[]): { x: number; y: number; width: number; height: number } {
  const [x, y] = [Math.min(...nodes.map((node) => node.x)), Math.min(...nodes.map((node) => node.y))]
  const right = Math.max(...nodes.map((node) => node.x + node.width))
  const bottom = Math.max(...nodes.map((node) => node.y + node.height))
  return { x, y, width: right - x, height: bottom - y }
}

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End'

export function isDirection(key: string): key is Direction {
  return ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key)
}

/** The node that a key leads to: Home to the verified file, End to the first node on the left. */
export function neighbour(nodes: readonly GraphNode[], id: string, key: Direction): GraphNode | undefined {
  const from = nodes.find((node) => node.id === id)
  if (from === undefined) return undefined
  if (key === 'Home') return nodes.find(({ next }) => next === undefined)
  if (key === 'End') return nodes.toSorted((a, b) => a.x - b.x || a.y - b.y)[0]
  if (key === 'ArrowRight') return nodes.find((node) => node.id === from.next)
  if (key === 'ArrowLeft')
    return nearest(
      nodes.filter(({ next }) => next === id),
      from,
    )
  const sign = key === 'ArrowUp' ? -1 : 1
  return nearest(
    nodes.filter((node) => node.x === from.x && (middleOf(node) - middleOf(from)) * sign > 0),
    from,
  )
}

function nearest(nodes: readonly GraphNode[], to: GraphNode): GraphNode | undefined {
  const distance = (node: GraphNode) => Math.abs(middleOf(node) - middleOf(to))
  return nodes.toSorted((a, b) => distance(a) - distance(b))[0]
}

function middleOf({ y, height }: PlacedNode): number {
  return y + height / 2
}
