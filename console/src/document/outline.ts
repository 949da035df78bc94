/** A small drawing of a workflow's graph: boxes and lines, for where there is no picture yet. */
import type { WorkflowDocument } from './types.ts'
import { graphOrder, wiresOf } from './wires.ts'

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
  /** From the right side of one box to the left side of another. */
  lines: { x1: number; y1: number; x2: number; y2: number }[]
}

export const outlineBox = { width: 56, height: 24, gapX: 28, gapY: 16 } as const

/** In layers from left to right: each node one to the right of the furthest that it takes from. Positions are not read: a drawing this small wants an even one. */
export function outlineOf(document: WorkflowDocument): Outline {
  const wires = wiresOf(document).filter(({ target }) => Object.hasOwn(document.nodes, target))
  const layers = layersOf(document, wires)
  const rows: string[][] = []
  for (const id of graphOrder(document)) {
    const layer = layers.get(id) ?? 0
    rows[layer] = [...(rows[layer] ?? []), id]
  }
  const { width, height, gapX, gapY } = outlineBox
  const tallest = Math.max(1, ...rows.map((ids) => ids?.length ?? 0))
  const whole = { width: Math.max(1, rows.length) * (width + gapX) - gapX, height: tallest * (height + gapY) - gapY }
  const nodes = rows.flatMap((ids, layer) => {
    const top = (whole.height - ids.length * (height + gapY) + gapY) / 2
    return ids.map((id, row) => ({
      id,
      type: document.nodes[id]?.type ?? '',
      x: layer * (width + gapX),
      y: top + row * (height + gapY),
    }))
  })
  const places = new Map(nodes.map((node) => [node.id, node]))
  const lines = wires.flatMap(({ source, target }) => {
    const from = places.get(source)
    const to = places.get(target)
    if (from === undefined || to === undefined) return []
    return [{ x1: from.x + width, y1: from.y + height / 2, x2: to.x, y2: to.y + height / 2 }]
  })
  return { ...whole, nodes, lines }
}

function layersOf(document: WorkflowDocument, wires: readonly { source: string; target: string }[]) {
  const sources = Map.groupBy(wires, ({ target }) => target)
  const layers = new Map<string, number>()
  // The order has what a node takes from before it, so one pass is enough; of a cycle, one wire leads back.
  for (const id of graphOrder(document)) {
    const before = (sources.get(id) ?? []).map(({ source }) => layers.get(source) ?? -1)
    layers.set(id, Math.max(-1, ...before) + 1)
  }
  return layers
}
