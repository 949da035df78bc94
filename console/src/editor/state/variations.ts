/** Variations of nodes with random results: the same variation gives the same result, which is paid for once. */
import { type Catalogue, operationOf } from '../../api/operations.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'

/** Node -> its variation. A node without an entry has its id as its variation. */
export type Variations = Readonly<Record<string, string>>

/** The nodes that have another result with another variation: those that call a model without a seed. */
export function variableNodes({ nodes }: WorkflowDocument, catalogue: Catalogue): string[] {
  return Object.entries(nodes).flatMap(([id, node]) => {
    const { params, cache } = node
    const operation = operationOf(catalogue, node)
    const isRandom = operation !== undefined && operation.asks !== null && !operation.deterministic
    return isRandom && params?.seed === undefined && cache !== false ? [id] : []
  })
}

/** Gives these nodes variations that were never used before. */
export function withNewVariations(variations: Variations, nodes: readonly string[]): Variations {
  const text = [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join('')
  return { ...variations, ...Object.fromEntries(nodes.map((id) => [id, text])) }
}

/** The new id of a node has the variation of the old one, so that the node keeps its result. */
export function withRenamedNode(variations: Variations, from: string, to: string): Variations {
  return { ...variations, [to]: variations[from] ?? from }
}

/** Only those of nodes that exist, for a request. */
export function declaredVariations({ nodes }: WorkflowDocument, variations: Variations): Record<string, string> {
  return Object.fromEntries(Object.entries(variations).filter(([id]) => Object.hasOwn(nodes, id)))
}
