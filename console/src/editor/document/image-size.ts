/** The size of an image as far as the document declares it, for initial values before the first run. */
import { type Catalogue, operationOf } from '../../api/operations.ts'
import type { WorkflowDocument, WorkflowNode } from '../../api/workflow-document.ts'
import type { Size } from './geometry.ts'
import { nodesOf } from './wires.ts'

/** Groups of operations that draw on their image or change its colours. */
const keepingGroups: readonly string[] = ['colour', 'combine', 'filter', 'text']
/** The groups whose `width` and `height` are the size of the result. */
const sizedGroups: readonly string[] = ['source', 'geometry']

/** The node, and then the nodes that its image got its size from. */
export function sizeSources(document: WorkflowDocument, catalogue: Catalogue, id: string): string[] {
  const sources: string[] = []
  for (let at: string | undefined = id; at !== undefined && !sources.includes(at); ) {
    sources.push(at)
    const node: WorkflowNode | undefined = document.nodes[at]
    const operation = operationOf(catalogue, node)
    const isKept = operation !== undefined && keepingGroups.includes(operation.group) && operation.id !== 'upscale'
    at = isKept ? nodesOf(node?.inputs?.image)[0] : undefined
  }
  return sources
}

/** The size in the params of a node; undefined if it depends on an image or on a parameter. */
export function declaredSize(document: WorkflowDocument, catalogue: Catalogue, id: string): Size | undefined {
  const node = document.nodes[id]
  const { width, height, fit } = node?.params ?? {}
  const isSized = sizedGroups.includes(operationOf(catalogue, node)?.group ?? '')
  if (!isSized || typeof width !== 'number' || typeof height !== 'number') return undefined
  return fit === 'inside' || fit === 'outside' ? undefined : { width, height }
}
