/** Variations of nodes with random results: the same variation gives the same result, which is paid for once. */
import { type Catalogue, operationOf } from '../../api/operations.ts'
import type { Execution } from '../../api/types.ts'
import type { WorkflowDocument, WorkflowNode } from '../../api/workflow-document.ts'

/** Node -> its variation. A node without an entry has its id as its variation. */
export type Variations = Readonly<Record<string, string>>

/** Whether a node has another result with another variation, because it calls a model without a seed. */
export function isVariable(node: WorkflowNode, catalogue: Catalogue): boolean {
  const { params, cache } = node
  const operation = operationOf(catalogue, node)
  const isRandom = operation !== undefined && operation.asks !== null && !operation.deterministic
  return isRandom && params?.seed === undefined && cache !== false
}

/** The nodes that have another result with another variation. A pinned node keeps its result. */
export function variableNodes({ nodes }: WorkflowDocument, catalogue: Catalogue): string[] {
  return Object.entries(nodes).flatMap(([id, node]) =>
    isVariable(node, catalogue) && node.pinned === undefined ? [id] : [],
  )
}

/** Gives these nodes variations that were never used before. */
export function withNewVariations(variations: Variations, nodes: readonly string[]): Variations {
  const text = newText()
  return { ...variations, ...Object.fromEntries(nodes.map((id) => [id, text])) }
}

/** Starts the text of variations to choose from. No text of `withNewVariations` starts with it. */
const offered = '+'

/** A variation of one node to choose from: the variations of the draft stay as they are. */
export function withOfferedVariation(variations: Variations, node: string): Variations {
  return { ...variations, [node]: offered + newText() }
}

/** Whether the execution made a variation to choose from. It is not the last run of the draft. */
export function isOffer({ node, variations = {} }: Pick<Execution, 'node' | 'variations'>): boolean {
  return node !== undefined && variations[node]?.startsWith(offered) === true
}

function newText(): string {
  return [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join('')
}

/** The new id of a node has the variation of the old one, so that the node keeps its result. */
export function withRenamedNode(variations: Variations, from: string, to: string): Variations {
  return { ...variations, [to]: variations[from] ?? from }
}

/** Only those of nodes that exist, for a request. */
export function declaredVariations({ nodes }: WorkflowDocument, variations: Variations): Record<string, string> {
  return Object.fromEntries(Object.entries(variations).filter(([id]) => Object.hasOwn(nodes, id)))
}
