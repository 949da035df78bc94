/** The nodes that a missing or wrong connection is likely to mean. */
import { partsOfWire } from '../../../shared/names.ts'
import { isTemplate } from '../../../shared/values.ts'
import { type Graph, reachable } from '../../domain/graph.ts'
import type { WorkflowDocument } from '../../domain/workflows/workflow.ts'
import type { Operation } from '../../operations/define.ts'
import { givesImage } from './wires.ts'

type Kinds = ReadonlyMap<string, { operation: Operation }>

/**
 * Nodes with an image that nothing reads, then the nodes before this one in the document, the nearest first. Without `reader`, for an output.
 * Nodes that depend on the reader are left out.
 */
export function likelySources(document: WorkflowDocument, kinds: Kinds, reader?: string): string[] {
  const { graph, read } = connectionsOf(document)
  const ids = Object.keys(document.nodes)
  const place = reader === undefined ? ids.length : ids.indexOf(reader)
  const distance = (id: string) => Math.abs(ids.indexOf(id) - place) + (ids.indexOf(id) < place ? 0 : ids.length)
  const able = ids.filter((id) => {
    const operation = kinds.get(id)?.operation
    return (
      operation !== undefined && givesImage(operation) && (reader === undefined || !reachable(graph, id).has(reader))
    )
  })
  const nearest = able.sort((one, other) => distance(one) - distance(other))
  return [...nearest.filter((id) => !read.has(id)), ...nearest.filter((id) => read.has(id) && ids.indexOf(id) < place)]
}

/** Node -> the nodes that it needs, and all nodes that something reads, by the text of the document. */
function connectionsOf(document: WorkflowDocument): { graph: Graph; read: ReadonlySet<string> } {
  const known = connections.get(document)
  if (known) return known
  const graph = new Map(
    Object.entries(document.nodes).map(([id, node]) => {
      // The schema checks no wire whose name can't be that of an input.
      const wires = Object.values<unknown>(node.inputs ?? {})
        .flat()
        .filter((wire) => typeof wire === 'string')
      return [id, [...wires.map((wire) => partsOfWire(wire).node), ...namesIn([node.params, node.each, node.when])]]
    }),
  )
  const outputs = [document.output, ...Object.values(document.outputs ?? {})]
  const read = new Set([...[...graph.values()].flat(), ...outputs.flatMap(({ node }) => node), ...namesIn(outputs)])
  const found = { graph, read }
  connections.set(document, found)
  return found
}

const connections = new WeakMap<WorkflowDocument, { graph: Graph; read: ReadonlySet<string> }>()

function namesIn(value: unknown): string[] {
  if (isTemplate(value)) return [...value.matchAll(/\bnodes\.([a-z][a-z0-9_-]*)/g)].flatMap(([, id]) => id ?? [])
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : []
}
