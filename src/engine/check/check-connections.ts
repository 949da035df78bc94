/** Checks the nodes together: lists, models, the names in templates, outputs, and cycles. */
import { itemNames } from '../../../shared/template/check-name.ts'
import { show } from '../../../shared/text.ts'
import { findCycle, type Graph, topologicalOrder } from '../../domain/graph.ts'
import type { Models } from '../../domain/model.ts'
import type { ParameterDeclaration, WorkflowDocument } from '../../domain/workflow.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { CheckedNodes } from './check-nodes.ts'
import { outputNodeIssues, type ParsedOutputs } from './check-outputs.ts'
import { checkReferences, type Names, schemaOfReference } from './check-references.ts'
import { choiceIssues, choiceOf, operationIssues } from './choices.ts'
import { itemSchemas } from './item-schemas.ts'
import { type Lists, listsOf } from './lists.ts'
import { imagesOf, templatedRequirementIssues, withRequirementCheck } from './model-requirements.ts'
import { usedListIssues } from './used-lists.ts'
import { useIssues } from './used-workflow.ts'

interface Options {
  outputs: ParsedOutputs
  models: Models | undefined
  /** Found issues are added. */
  issues: Issue[]
}

export interface Connections {
  /** Node -> the nodes that it needs. */
  graph: Graph
  /** All nodes, each after its dependencies. */
  sorted: string[]
}

/** Adds to the nodes what depends on other nodes: their choice, and the check of requirements on models. */
export function checkConnections(
  document: WorkflowDocument,
  checked: CheckedNodes,
  { outputs, models, issues }: Options,
): Connections {
  const { nodes, results } = checked
  const graph: Graph = new Map([...nodes].map(([id, node]) => [id, node.needs]))
  const sorted = topologicalOrder(graph)
  const lists = listsOf(nodes, sorted)
  if (lists.size > 0) issues.push(...hiddenItems(document.parameters ?? []))
  checkLists(checked, lists, issues)
  if (models) checkModels(checked, lists, models, issues)

  const operations = new Map([...nodes].map(([id, { operation }]) => [id, operation]))
  const names: Names = { document, operations, lists, results }
  const references = [...checked.references, ...outputs.references]
  if (!checkNames({ ...checked, references }, sorted, names, issues)) return { graph, sorted }
  issues.push(...outputNodeIssues(outputs.outputs, { document, nodes, lists }))
  const cycle = findCycle(graph)
  if (cycle)
    issues.push({
      path: `nodes.${cycle[0]}`,
      message: `is part of a cycle: ${[...cycle, cycle[0]].reverse().join(' -> ')}. Remove one of these connections.`,
    })
  return { graph, sorted }
}

function checkLists({ nodes, wronglyShaped }: CheckedNodes, lists: Lists, issues: Issue[]): void {
  for (const node of nodes.values()) {
    const choice = choiceOf(node, lists)
    if (choice) nodes.set(node.id, { ...node, choice })
    if (wronglyShaped.has(node.id)) continue
    issues.push(...choiceIssues(node, lists), ...useIssues(node), ...usedListIssues(node, lists))
    if (issues.length < limits.issuesMax) issues.push(...operationIssues(node))
  }
}

function checkModels({ nodes, wronglyShaped }: CheckedNodes, lists: Lists, models: Models, issues: Issue[]): void {
  for (const node of nodes.values()) {
    if (node.operation.usesModel === undefined) continue
    const images = imagesOf(node, lists)
    if (!wronglyShaped.has(node.id)) issues.push(...templatedRequirementIssues(node, images, models))
    nodes.set(node.id, { ...node, checkParams: withRequirementCheck(node, images, models) })
  }
}

/** False if the check stopped at the maximum number of issues. */
function checkNames(
  { nodes, references }: Pick<CheckedNodes, 'nodes' | 'references'>,
  sorted: string[],
  names: Names,
  issues: Issue[],
): boolean {
  const items = itemSchemas(sorted, nodes, names.lists, (name) => schemaOfReference(name, names))
  for (const { node, at, found } of references) {
    if (issues.length >= limits.issuesMax) return false
    const canRepeat = node !== undefined && (nodes.get(node)?.used === undefined || nodes.get(node)?.each !== undefined)
    const owner = canRepeat ? node : undefined
    issues.push(
      ...checkReferences(found, at, names, { node: owner, item: node === undefined ? undefined : items.get(node) }),
    )
  }
  return true
}

/** Parameters named `item` or `index`: they would be ambiguous in templates. */
function hiddenItems(parameters: readonly ParameterDeclaration[]): Issue[] {
  return parameters.flatMap(({ name }, i) =>
    itemNames.includes(name)
      ? [
          {
            path: `parameters.${i}.name`,
            message: `is ${show(name)}, which is reserved for nodes with \`each\`. Choose another name.`,
          },
        ]
      : [],
  )
}
