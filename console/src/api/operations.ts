import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import type { Operation } from './types.ts'
import type { WorkflowNode } from './workflow-document.ts'

/** All operations. The list changes only with the version of the service. */
export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/operations', { signal }))).operations,
  staleTime: Number.POSITIVE_INFINITY,
})

export interface CatalogueEntry extends Operation {
  /** Outputs of a used workflow, in addition to the primary one, whose images other nodes can get. */
  namedOutputs?: readonly string[]
  /** The node of a used workflow whose image is the primary output. */
  outputNode?: string | undefined
}

export type Catalogue = ReadonlyMap<string, CatalogueEntry>

/** The `type` of nodes that use a workflow. */
export const workflowType = 'workflow'

/** The operation of a node. Used workflows are in the catalogue, too, by their name in documents: `link-card@7`. */
export function operationOf(catalogue: Catalogue, node: Pick<WorkflowNode, 'type' | 'workflow'> | undefined) {
  return node && catalogue.get(node.type === workflowType ? (node.workflow ?? '') : node.type)
}

export function toCatalogue(operations: readonly Operation[]): Catalogue {
  return new Map(operations.map((operation) => [operation.id, operation]))
}
