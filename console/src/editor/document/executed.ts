/** The document of an execution, next to the current one. An execution of a draft has only the nodes that it needed, without layout. */
import type { Parameter, WorkflowDocument } from '../../api/workflow-document.ts'
import type { Point } from './geometry.ts'
import { placesOf, setPlaces } from './layout.ts'
import { outputId } from './wires.ts'

/** The document with places for the cards that have none. */
export function withPlaces(document: WorkflowDocument, places: ReadonlyMap<string, Point>): WorkflowDocument {
  const own = placesOf(document)
  const missing = [...places].filter(([id]) => !own.has(id) && (id === outputId || Object.hasOwn(document.nodes, id)))
  const placed = { ...document, layout: { ...(document.layout ?? {}) } }
  setPlaces(placed, missing)
  return placed
}

/**
 * The current document with the executed part of an earlier draft. Nodes that were not executed stay. `isPart`: it ran to a node
 * and not to the output, so it has another output, and none of its parameters is required.
 */
export function withExecutedPart(
  current: WorkflowDocument,
  executed: WorkflowDocument,
  isPart: boolean,
): WorkflowDocument {
  const own = current.parameters ?? []
  const parameters = byName([...own, ...(executed.parameters ?? []), ...(isPart ? own : [])])
  const output = isPart ? current.output : executed.output
  return {
    ...current,
    nodes: { ...current.nodes, ...executed.nodes },
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(output === undefined ? {} : { output }),
  }
}

/** The last declaration of each name, at the place of the first. */
function byName(parameters: readonly Parameter[]): Parameter[] {
  return [...new Map(parameters.map((parameter) => [parameter.name, parameter])).values()]
}
