/** Pinned nodes: a stored image is the result of the node, in place of its operation. */
import { partsOfWire } from '../../../shared/names.ts'
import { reachable } from '../graph.ts'
import type { WorkflowDocument, WorkflowNode } from './workflow.ts'

type Nodes = Pick<WorkflowDocument, 'nodes'>

/** The document that executions run: a source of the stored image in place of each pinned node. */
export function withPinnedImages<Document extends Nodes>(document: Document): Document {
  const { nodes } = document
  if (Object.values(nodes).every(({ pinned }) => pinned === undefined)) return document
  const executed = Object.entries(nodes).map(([id, node]): [string, WorkflowNode] => [
    id,
    node.pinned === undefined ? node : { type: 'image', params: { source: node.pinned } },
  ])
  return { ...document, nodes: Object.fromEntries(executed) }
}

/** The nodes that pinned nodes would need by their wires. They run again when the pin is removed, so they aren't a mistake. */
export function nodesBeforePins({ nodes }: Nodes): Set<string> {
  const pinned = Object.keys(nodes).filter((id) => nodes[id]?.pinned !== undefined)
  if (pinned.length === 0) return new Set()
  const graph = new Map(
    Object.entries(nodes).map(([id, { inputs = {} }]) => [
      id,
      Object.values(inputs)
        .flat()
        .map((wire) => partsOfWire(wire).node),
    ]),
  )
  return new Set(pinned.flatMap((id) => [...reachable(graph, id)]))
}
