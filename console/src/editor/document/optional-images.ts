import { type Catalogue, operationOf, workflowType } from '../../api/operations.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { nodesOf, topologicalOrder } from './wires.ts'

/** The operation that passes on one of its images. */
const choosing = 'choose'

/**
 * The nodes that may have no image, as on the service: nodes that may be skipped (by their `when`, or because a required input
 * may be empty) and whose first input may be empty too.
 */
export function nodesWithOptionalImage(document: WorkflowDocument, catalogue: Catalogue): Set<string> {
  const optional = new Set<string>()
  for (const id of topologicalOrder(document)) {
    const node = document.nodes[id]
    if (node === undefined) continue
    const { inputs = {}, when = true, type } = node
    const required = (operationOf(catalogue, node)?.inputs ?? []).filter((socket) => socket.required)
    const sources = Object.values(inputs).flatMap(nodesOf)
    const isStarved = required.some(({ name }) => {
      const wired = nodesOf(inputs[name])
      return wired.length > 0 && wired.every((source) => optional.has(source))
    })
    const needsAll = type === choosing || type === workflowType
    const isSkipped = when !== true || isStarved
    const [first] = sources
    if (needsAll && sources.some((source) => optional.has(source))) optional.add(id)
    if (isSkipped && (first === undefined || optional.has(first))) optional.add(id)
  }
  return optional
}
