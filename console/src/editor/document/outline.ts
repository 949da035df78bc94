/** A small drawing of a workflow's graph, for workflows without an image. */
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { topologicalOrder, wiresOf } from './wires.ts'

export interface OutlineNode {
  id: string
  type: string
  /** Upper left corner. */
  x: number
  y: number
}

export interface Outline {
  width: number
  height: number
  nodes: OutlineNode[]
  /** Straight lines from the right side of a box to the left side of another. */
  lines: { x1: number; y1: number; x2: number; y2: number }[]
}

export const outlineBox = { width: 64, height: 28, gapX: 22, gapY: 14 } as const

/** More layers than this continue in a new row, like text. */
const columnsMax = 5

/**
 * Places nodes in layers from left to right: each node is to the right of its sources. Ignores the positions of cards,
 * because a small drawing needs even spacing.
 */
export function outlineOf(document: WorkflowDocument): Outline {
  const wires = wiresOf(document).filter(({ target }) => Object.hasOwn(document.nodes, target))
  const byLayer = layersOf(document, wires)
  const layers: string[][] = []
  for (const id of topologicalOrder(document)) {
    const layer = byLayer.get(id) ?? 0
    layers[layer] = [...(layers[layer] ?? []), id]
  }
  const { width, height, gapX, gapY } = outlineBox
  const bands = Math.max(1, Math.ceil(layers.length / columnsMax))
  const columns = Math.ceil(layers.length / bands)
  const nodes: OutlineNode[] = []
  let top = 0
  for (let from = 0; from < layers.length; from += columns) {
    const band = layers.slice(from, from + columns)
    const rows = Math.max(...band.map((ids) => ids.length))
    for (const [column, ids] of band.entries())
      for (const [row, id] of ids.entries()) {
        const y = top + (row + (rows - ids.length) / 2) * (height + gapY)
        nodes.push({ id, type: document.nodes[id]?.type ?? '', x: column * (width + gapX), y })
      }
    top += rows * (height + gapY) + gapY
  }
  const nodesById = new Map(nodes.map((node) => [node.id, node]))
  const lines = wires.flatMap(({ source, target }) => {
    const from = nodesById.get(source)
    const to = nodesById.get(target)
    if (from === undefined || to === undefined) return []
    return [{ x1: from.x + width, y1: from.y + height / 2, x2: to.x, y2: to.y + height / 2 }]
  })
  return { width: columns * (width + gapX) - gapX, height: top - gapY * 2, nodes, lines }
}

function layersOf(document: WorkflowDocument, wires: readonly { source: string; target: string }[]) {
  const sources = Map.groupBy(wires, ({ target }) => target)
  const layers = new Map<string, number>()
  // Sources come first in this order, so one pass is enough. In a cycle, one wire points back.
  for (const id of topologicalOrder(document)) {
    const before = (sources.get(id) ?? []).map(({ source }) => layers.get(source) ?? -1)
    layers.set(id, Math.max(-1, ...before) + 1)
  }
  return layers
}
