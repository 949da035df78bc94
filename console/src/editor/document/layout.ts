/**
 * The positions of cards. `document.layout` is `{[id]: [x, y]}` plus notes (notes.ts): the upper left corner, in pixels at
 * zoom 1.
 */
import { type Catalogue, operationOf } from '../../api/operations.ts'
import type { WorkflowDocument, WorkflowNode } from '../../api/workflow-document.ts'
import type { Point, Size } from './geometry.ts'
import { orderLayers } from './layer-order.ts'
import { layoutOf } from './layout-record.ts'
import { dependenciesOf, nodesOf, outputId, referencedNodes, topologicalOrder, wiresOf } from './wires.ts'

export const cardWidth = 216
/** The gap between two connected cards. */
export const gapX = 72
export const gapY = 40
export const gridStep = 8

/** The heights of a card's parts, as in its style sheet. */
const headHeight = 46
const socketHeight = 24
/** The image, and the marks of a run below it. */
const imageHeight = 143

/** The expected size of a card before it is rendered. */
export function cardSize(document: WorkflowDocument, id: string, catalogue: Catalogue): Size {
  if (id === outputId)
    return {
      width: cardWidth,
      height: headHeight + (1 + Object.keys(document.outputs ?? {}).length) * socketHeight + imageHeight,
    }
  return nodeSize(document.nodes[id] ?? { type: '' }, catalogue)
}

/** The expected size of the card of an operation. */
export function nodeSize(node: Pick<WorkflowNode, 'type' | 'workflow'>, catalogue: Catalogue): Size {
  const { inputs = [], namedOutputs = [] } = operationOf(catalogue, node) ?? {}
  const rows = Math.max(inputs.length, 1 + namedOutputs.length)
  return { width: cardWidth, height: headHeight + rows * socketHeight + imageHeight }
}

/** The positions of existing cards in the document. */
export function positionsOf(document: WorkflowDocument): Map<string, Point> {
  const { layout } = document
  const positions = new Map<string, Point>()
  if (typeof layout !== 'object' || layout === null) return positions
  for (const [id, position] of Object.entries(layout)) {
    if (id !== outputId && !Object.hasOwn(document.nodes, id)) continue
    if (!Array.isArray(position)) continue
    const [x, y] = position as unknown[]
    if (Number.isFinite(x) && Number.isFinite(y)) positions.set(id, { x: Number(x), y: Number(y) })
  }
  return positions
}

/** Edit: sets positions of cards. */
export function setPositions(document: WorkflowDocument, positions: Iterable<readonly [string, Point]>): void {
  const layout = layoutOf(document)
  for (const [id, { x, y }] of positions) layout[id] = [Math.round(x), Math.round(y)]
}

/** Edit: removes positions of cards. */
export function removePositions(document: WorkflowDocument, ids: Iterable<string>): void {
  const { layout } = document
  if (typeof layout !== 'object' || layout === null) return
  for (const id of ids) delete (layout as Record<string, unknown>)[id]
}

/** Adds a position for each card without one: next to its source, without overlaps. */
export function addMissingPositions(
  document: WorkflowDocument,
  catalogue: Catalogue,
  positions: ReadonlyMap<string, Point>,
): Map<string, Point> {
  const all = new Map(positions)
  const needs = dependenciesOf(document)
  const heightOf = (id: string) => cardSize(document, id, catalogue).height
  const ofOutputs = wiresOf(document).flatMap(({ source, target }) => (target === outputId ? [source] : []))
  for (const id of [...topologicalOrder(document), outputId]) {
    if (all.has(id)) continue
    const sources = id === outputId ? ofOutputs : (needs.get(id) ?? [])
    const befores = sources.flatMap((source) => all.get(source) ?? [])
    const furthest = befores.toSorted((a, b) => b.x - a.x)[0]
    const end = id === outputId && furthest === undefined ? rightEdge(all) : undefined
    const preferred = end ?? (furthest ? { x: furthest.x + cardWidth + gapX, y: furthest.y } : { x: 0, y: 0 })
    all.set(id, freePosition(preferred, all, heightOf(id), heightOf))
  }
  return all
}

function rightEdge(positions: ReadonlyMap<string, Point>): Point | undefined {
  if (positions.size === 0) return undefined
  const x = Math.max(...[...positions.values()].map((position) => position.x)) + cardWidth + gapX
  return { x, y: Math.min(...[...positions.values()].map((position) => position.y)) }
}

/** The given position, or the next free position below it. */
export function freePosition(
  preferred: Point,
  positions: ReadonlyMap<string, Point>,
  height: number,
  heightOf: (id: string) => number = () => height,
): Point {
  const near = [...positions]
    .filter(([, { x }]) => Math.abs(x - preferred.x) < cardWidth + gapX / 4)
    .map(([id, { y }]) => ({ top: y, bottom: y + heightOf(id) }))
  let { y } = preferred
  for (let isFree = false; !isFree; ) {
    const hit = near.find(({ top, bottom }) => y < bottom + gapY / 2 && top < y + height + gapY / 2)
    if (hit === undefined) isFree = true
    else y = hit.bottom + gapY
  }
  return { x: preferred.x, y: Math.round(y / gridStep) * gridStep }
}

/**
 * The position of each card in layers from left to right, with few crossing wires. The first input of a card is above its second.
 */
export async function arrange(
  document: WorkflowDocument,
  catalogue: Catalogue,
  sizes?: ReadonlyMap<string, Size>,
): Promise<Map<string, Point>> {
  const { Graph, layout } = await import('@dagrejs/dagre')
  const graph = new Graph({ multigraph: false })
  graph.setGraph({ rankdir: 'LR', nodesep: gapY, ranksep: gapX, ranker: 'network-simplex' })
  graph.setDefaultEdgeLabel(() => ({}))
  const wires = wiresOf(document)
  const nodes = topologicalOrder(document)
  // Nodes that lead nowhere are below the branches of the output, and above an output without a wire, as in a pasted part.
  const ids = wires.some(({ target }) => target === outputId) ? [outputId, ...nodes] : [...nodes, outputId]
  // With a prefix, because dagre stores ids in plain objects, and a node can have the id `constructor`.
  const keyOf = (id: string) => `#${id}`
  for (const id of ids) graph.setNode(keyOf(id), { ...(sizes?.get(id) ?? cardSize(document, id, catalogue)) })
  const addEdge = (source: string, target: string, weight: number) => {
    const [from, to] = [keyOf(source), keyOf(target)]
    if (from !== to && graph.hasNode(from) && graph.hasNode(to) && !graph.hasEdge(from, to))
      graph.setEdge(from, to, { weight })
  }
  for (const { source, target } of wires) addEdge(source, target, 2)
  for (const [target, sources] of dependenciesOf(document)) for (const source of sources) addEdge(source, target, 1)
  const sources = new Map(
    Object.entries(document.nodes).map(([id, node]) => [keyOf(id), orderedSources(node, catalogue).map(keyOf)]),
  )
  layout(graph, {
    customOrder: (layers, minimizeCrossings) => orderLayers(layers, () => minimizeCrossings(layers), sources),
  })
  const positions = ids.map((id) => {
    const { x = 0, y = 0, width = 0, height = 0 } = graph.node(keyOf(id))
    return [id, { x: onGrid(x - width / 2), y: onGrid(y - height / 2) }] as const
  })
  return new Map(positions)
}

/** The sources of a node in the order of the sockets on its card, then the nodes that its templates read. */
function orderedSources(node: WorkflowNode, catalogue: Catalogue): string[] {
  const { inputs = {} } = node
  const known = operationOf(catalogue, node)?.inputs ?? []
  const sockets = new Set([...known.map(({ name }) => name), ...Object.keys(inputs)])
  return [...[...sockets].flatMap((socket) => nodesOf(inputs[socket])), ...referencedNodes(node)]
}

function onGrid(value: number): number {
  return Math.round(value / gridStep) * gridStep
}
