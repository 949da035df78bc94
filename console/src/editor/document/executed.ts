/** The document of an execution, next to the current one. An execution of a draft has only the nodes that it needed, without layout. */
import type { Parameter, WorkflowDocument } from '../../api/workflow-document.ts'
import type { Point } from './geometry.ts'
import { positionsOf, setPositions } from './layout.ts'
import { outputId } from './wires.ts'

/** The document with positions for the cards that have none. */
export function withMissingPositions(
  document: WorkflowDocument,
  positions: ReadonlyMap<string, Point>,
): WorkflowDocument {
  const ownPositions = positionsOf(document)
  const missing = [...positions].filter(
    ([id]) => !ownPositions.has(id) && (id === outputId || Object.hasOwn(document.nodes, id)),
  )
  const completed = { ...document, layout: { ...(document.layout ?? {}) } }
  setPositions(completed, missing)
  return completed
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
  const declared = current.parameters ?? []
  const parameters = byName([...declared, ...(executed.parameters ?? []), ...(isPart ? declared : [])])
  const { output, outputs } = isPart ? current : executed
  const { outputs: _, ...rest } = current
  return {
    ...rest,
    nodes: { ...current.nodes, ...executed.nodes },
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(output === undefined ? {} : { output }),
    ...(outputs === undefined ? {} : { outputs }),
  }
}

/** One declaration for each name: the last one, at the position of the first. */
function byName(parameters: readonly Parameter[]): Parameter[] {
  return [...new Map(parameters.map((parameter) => [parameter.name, parameter])).values()]
}
