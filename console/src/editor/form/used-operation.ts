/** A used workflow as an operation, like on the service. */
import { type Catalogue, type CatalogueEntry, workflowType } from '../../api/operations.ts'
import type { Parameter, WorkflowNode } from '../../api/workflow-document.ts'
import type { UsedWorkflow } from '../../api/workflows.ts'
import { parametersSchema } from './parameter-schema.ts'

export interface UsedOperation extends CatalogueEntry {
  namedOutputs: readonly string[]
  workflowId: string
  newestVersion: number
}

/** Its id is the name of the workflow in documents: `link-card@7`. */
export function usedOperation({ name, detail, newestVersion, outputNode }: UsedWorkflow): UsedOperation {
  const parameters = detail.parameters as Parameter[]
  const images = parameters.filter((parameter) => parameter.type === 'string' && parameter.format === 'image')
  const { required: _, ...params } = parametersSchema(parameters, undefined, new Map())
  return {
    id: name,
    version: 1,
    title: detail.name,
    summary: detail.description || 'A workflow of this account.',
    keywords: ['workflow', 'component'],
    group: 'combine',
    inputs: images.map((image) => ({
      name: image.name,
      description: image.description ?? `The image of the parameter ${image.name}.`,
      required: false,
      many: false,
    })),
    params,
    outputs: { image: 'The output of the workflow.', values: {} },
    alpha: 'made',
    frames: 'whole',
    asks: null,
    deterministic: true,
    examples: [],
    namedOutputs: (detail.outputs ?? []).flatMap(({ name, kind }) => (kind === 'pdf' ? [] : [name])),
    outputNode,
    workflowId: detail.id,
    newestVersion,
  }
}

/** The used workflow of a node; undefined for other nodes, and if it isn't loaded. */
export function usedOperationOf(catalogue: Catalogue, node: WorkflowNode | undefined): UsedOperation | undefined {
  return node?.type === workflowType ? (catalogue.get(node.workflow ?? '') as UsedOperation | undefined) : undefined
}

/** The names of the workflows that the nodes use, each once. */
export function usedNames(nodes: Readonly<Record<string, WorkflowNode>>): string[] {
  const names = Object.values(nodes).flatMap(({ type, workflow }) =>
    type === workflowType && typeof workflow === 'string' && /^[^@]+@\d+$/.test(workflow) ? [workflow] : [],
  )
  return [...new Set(names)].sort()
}
