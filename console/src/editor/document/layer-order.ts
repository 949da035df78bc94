/**
 * The order of cards in the layers of a drawing. dagre's own order has few crossing wires, but of the orders with equally many
 * it returns any, often with the branches of the document reversed.
 */
import type { EdgeLabel, Graph, GraphLabel, NodeLabel } from '@dagrejs/dagre'

/** The graph while dagre orders it: a wire over several layers has a dummy node in each of them. */
type LayerGraph = Graph<GraphLabel, NodeLabel, EdgeLabel>
/** Nodes from left to right; each layer from top to bottom. */
type Layers = string[][]
type Indexes = Map<string, number>
/** Node -> the other ends of its wires on one side. */
type WiresOfSide = ReadonlyMap<string, readonly { end: string; weight: number }[]>
interface Wires {
  before: WiresOfSide
  after: WiresOfSide
}

/**
 * Sets `order` of every node: the first source of a node above the second, unless an order with fewer crossing wires is found.
 * `sourcesOf` has the sources of each node from top to bottom. Nodes without a successor are ordered as they were added.
 */
export function orderLayers(
  graph: LayerGraph,
  minimizeCrossings: () => void,
  sourcesOf: ReadonlyMap<string, readonly string[]>,
): void {
  const bySources = layersBySources(graph, sourcesOf)
  minimizeCrossings()
  const minimized = layersOf(graph)
  const mirrored = minimized.map((layer) => layer.toReversed())
  const wires = wiresIn(graph)
  const candidates = [bySources, minimized, mirrored].map((candidate) => {
    const layers = uncross(wires, candidate)
    return { layers, crossings: crossingsOf(wires, layers), changes: changesBetween(bySources, layers) }
  })
  const [best] = candidates.toSorted((a, b) => a.crossings - b.crossings || a.changes - b.changes)
  for (const layer of best?.layers ?? []) for (const [order, id] of layer.entries()) graph.node(id).order = order
}

/** Follows the sources back from the ends of the graph. Without shared sources, no wires cross. */
function layersBySources(graph: LayerGraph, sourcesOf: ReadonlyMap<string, readonly string[]>): Layers {
  const layers: Layers = []
  const seen = new Set<string>()
  const visit = (id: string) => {
    if (seen.has(id)) return
    seen.add(id)
    const { rank = 0 } = graph.node(id)
    layers[rank] ??= []
    layers[rank].push(id)
    const sources = sourcesOf.get(id) ?? []
    const indexOf = (before: string) => {
      const index = sources.indexOf(graph.node(before).edgeObj?.v ?? before)
      return index < 0 ? sources.length : index
    }
    const befores = graph.predecessors(id) ?? []
    for (const before of befores.toSorted((a, b) => indexOf(a) - indexOf(b))) visit(before)
  }
  for (const id of graph.sinks()) visit(id)
  return Array.from(layers, (layer) => layer ?? [])
}

/** The layers as dagre has ordered them. */
function layersOf(graph: LayerGraph): Layers {
  const layers: Layers = []
  for (const id of graph.nodes()) {
    const { rank = 0 } = graph.node(id)
    layers[rank] ??= []
    layers[rank].push(id)
  }
  const order = (id: string) => graph.node(id).order ?? 0
  return Array.from(layers, (layer = []) => layer.toSorted((a, b) => order(a) - order(b)))
}

function wiresIn(graph: LayerGraph): Wires {
  const side = (edgesOf: 'inEdges' | 'outEdges', end: 'v' | 'w'): WiresOfSide =>
    new Map(
      graph
        .nodes()
        .map((id) => [
          id,
          (graph[edgesOf](id) ?? []).map((edge) => ({ end: edge[end], weight: graph.edge(edge).weight ?? 1 })),
        ]),
    )
  return { before: side('inEdges', 'v'), after: side('outEdges', 'w') }
}

/** Swaps adjacent nodes of a layer as long as that removes crossings. */
function uncross(wires: Wires, original: Layers): Layers {
  const layers = original.map((layer) => [...layer])
  const indexes = indexesIn(layers)
  for (let isDone = false; !isDone; ) {
    isDone = true
    for (const layer of layers)
      for (let at = 1; at < layer.length; at++) {
        const [upper = '', lower = ''] = layer.slice(at - 1, at + 1)
        const crossings = (above: string, below: string) =>
          crossingsOfTwo(wires.before, indexes, above, below) + crossingsOfTwo(wires.after, indexes, above, below)
        if (crossings(upper, lower) <= crossings(lower, upper)) continue
        layer.splice(at - 1, 2, lower, upper)
        indexes.set(lower, at - 1).set(upper, at)
        isDone = false
      }
  }
  return layers
}

/** Number of crossings by weight, as dagre counts them: drawn wires count more than references in templates. */
function crossingsOf({ after }: Wires, layers: Layers): number {
  const indexes = indexesIn(layers)
  let sum = 0
  for (const layer of layers)
    for (const [at, upper] of layer.entries())
      for (const lower of layer.slice(at + 1)) sum += crossingsOfTwo(after, indexes, upper, lower)
  return sum
}

/** Crossings between the wires of two nodes of a layer, on one side, while the first node is above the second. */
function crossingsOfTwo(wires: WiresOfSide, indexes: Indexes, upper: string, lower: string): number {
  const others = wires.get(lower) ?? []
  let sum = 0
  for (const { end, weight } of wires.get(upper) ?? []) {
    const index = indexes.get(end) ?? 0
    for (const other of others) if ((indexes.get(other.end) ?? 0) < index) sum += weight * other.weight
  }
  return sum
}

/** The number of pairs in a layer that have another order. */
function changesBetween(before: Layers, after: Layers): number {
  const indexes = indexesIn(before)
  const indexOf = (id: string) => indexes.get(id) ?? 0
  let sum = 0
  for (const layer of after)
    for (const [at, upper] of layer.entries())
      for (const lower of layer.slice(at + 1)) if (indexOf(lower) < indexOf(upper)) sum++
  return sum
}

function indexesIn(layers: Layers): Indexes {
  return new Map(layers.flatMap((layer) => [...layer.entries()].map(([at, id]) => [id, at] as const)))
}
