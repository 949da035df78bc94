/** Checks the nodes together: lists, models, the names in templates, outputs, and cycles. */

import type { ValueSchema } from '../../../shared/json-schema.ts'
import { itemNames } from '../../../shared/template/check-name.ts'
import type { Reference } from '../../../shared/template/template.ts'
import { show } from '../../../shared/text.ts'
import { isTemplate } from '../../../shared/values.ts'
import { findCycle, type Graph, reachable, topologicalOrder } from '../../domain/graph.ts'
import type { Models } from '../../domain/models/model.ts'
import type { ParameterDeclaration, WorkflowDocument } from '../../domain/workflows/workflow.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Choice } from '../../operations/define.ts'
import type { CheckedNodes } from './check-nodes.ts'
import { outputNodeIssues, type ParsedOutputs } from './check-outputs.ts'
import { checkReferences, type Names, schemaOfReference } from './check-references.ts'
import type { CheckedNode } from './checked-workflow.ts'
import { type Lists, listsOf, wiresOfOne } from './lists.ts'
import { imagesOf, templatedRequirementIssues, withRequirementCheck } from './model-requirements.ts'
import { usedListIssues } from './used-lists.ts'
import { useIssues } from './used-workflow.ts'
import { givesImage } from './wires.ts'

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
  if (cycle) issues.push(cycleIssue(cycle, document, checked.nodes))
  return { graph, sorted }
}

/** The issue of a cycle, at the wire whose correction connects most nodes to the output. */
function cycleIssue(cycle: string[], document: WorkflowDocument, nodes: CheckedNodes['nodes']): Issue {
  const message = `is part of a cycle: ${[...cycle, cycle[0]].reverse().join(' -> ')}. Remove one of these connections.`
  const fixes = nodes.size > cycleFixNodesMax ? [] : cycle.flatMap((id) => rewirings(id, cycle, document, nodes))
  const [best] = fixes.sort((one, other) => other.connected - one.connected)
  return best === undefined ? { path: `nodes.${cycle[0]}`, message } : { path: best.path, message, fix: best.fix }
}

/** Each correction is tried, in the square of the number of nodes. */
const cycleFixNodesMax = 60

/** Other sources for the wires of a node along the cycle, and how many nodes the output would reach. */
function rewirings(id: string, cycle: string[], document: WorkflowDocument, nodes: CheckedNodes['nodes']) {
  const wires = Object.entries(document.nodes[id]?.inputs ?? {}).flatMap(([socket, sources]) =>
    Array.isArray(sources)
      ? sources.map((wire, i): [string, string] => [`${socket}.${i}`, wire])
      : [[socket, sources] as [string, string]],
  )
  return wires.flatMap(([socket, wire]) => {
    if (!cycle.includes(wire)) return []
    const without = new Map(
      [...nodes].map(([each, { needs }]) => [each, each === id ? needs.filter((need) => need !== wire) : needs]),
    )
    const ids = [...nodes.keys()]
    const sources = ids.filter((source) => {
      const operation = nodes.get(source)?.operation
      return operation && givesImage(operation) && !reachable(without, source).has(id)
    })
    return sources.map((value) => {
      const graph = new Map(without).set(id, [...(without.get(id) ?? []), value])
      const isOpen = findCycle(graph) === undefined
      const outputs = [document.output, ...Object.values(document.outputs ?? {})].flatMap(({ node }) => node)
      const reached = new Set(outputs.flatMap((node) => [...reachable(graph, node)])).size
      const isBefore = ids.indexOf(value) < ids.indexOf(id)
      return {
        path: `nodes.${id}.inputs.${socket}`,
        fix: { value },
        connected:
          (isOpen ? reached : -1) + (isBefore ? 0.5 : 0) - Math.abs(ids.indexOf(value) - ids.indexOf(id)) / 1_000,
      }
    })
  })
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
  for (const { node, at, found, text } of references) {
    if (issues.length >= limits.issuesMax) return false
    const canRepeat = node !== undefined && (nodes.get(node)?.used === undefined || nodes.get(node)?.each !== undefined)
    const owner = canRepeat ? node : undefined
    issues.push(
      ...checkReferences(found, { at, text }, names, {
        node: owner,
        item: node === undefined ? undefined : items.get(node),
      }),
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

/**
 * Node -> schema, for lists that are the value of a name, as in `each: "{{ people }}"`, and for the nodes that run over the same
 * list. In `order`, each node comes after the nodes that it reads.
 */
function itemSchemas(
  order: readonly string[],
  nodes: ReadonlyMap<string, CheckedNode>,
  lists: Lists,
  schemaOf: (name: Reference) => ValueSchema | undefined,
): ReadonlyMap<string, ValueSchema> {
  const schemas = new Map<string, ValueSchema>()
  for (const id of order) {
    const node = nodes.get(id)
    if (node === undefined || !lists.has(id)) continue
    const schema = node.each ? itemsOf(node.each, schemaOf) : ofWires(node)
    if (schema) schemas.set(id, schema)
  }
  return schemas

  /** Schema of the items as when it runs: those of the first list that it is wired to. */
  function ofWires(node: CheckedNode): ValueSchema | undefined {
    const source = wiresOfOne(node).find((wire) => lists.has(wire))
    return source === undefined ? undefined : schemas.get(source)
  }
}

function itemsOf(
  { values, templates }: NonNullable<CheckedNode['each']>,
  schemaOf: (name: Reference) => ValueSchema | undefined,
): ValueSchema | undefined {
  const name = typeof values.each === 'string' ? templates[0]?.template.name : undefined
  return name && schemaOf(name)?.items
}

/** The choice of a node; undefined for lists, because each of their items can choose another image. */
function choiceOf(node: CheckedNode, lists: Lists): Choice | undefined {
  const { choice } = node.operation
  if (choice === undefined || lists.has(node.id) || hasListAt(node, choice, lists)) return undefined
  const { values } = node.params
  const by = values[choice.by.param]
  const mayChoose = isTemplate(by) && choice.params.some((name) => Object.hasOwn(values, name))
  return by === choice.by.value || mayChoose ? choice : undefined
}

/** Issues that are known before its templates are rendered. */
function choiceIssues(node: CheckedNode, lists: Lists): Issue[] {
  const { choice } = node.operation
  const { values } = node.params
  if (choice === undefined || values[choice.by.param] !== choice.by.value || hasListAt(node, choice, lists)) return []
  const count = node.inputs[choice.socket]?.length ?? 0
  // The missing images have an issue already.
  if (count === 0) return []
  const hasTemplates = choice.params.flatMap((name) => values[name]).some(isTemplate)
  const found = choice.issue(values, count) ?? (hasTemplates ? undefined : choice.indexOf(values, count))
  if (found === undefined || typeof found === 'number') return []
  return [{ path: `nodes.${node.id}.params.${found.param}`, message: found.message }]
}

/** Mistakes that only the operation finds. */
function operationIssues({ id, operation, inputs, wires, params }: CheckedNode): Issue[] {
  const found = operation.check ? operation.check(params.values, wires ?? inputs) : []
  return found.map(({ param, ...issue }) => ({ path: `nodes.${id}.params.${param}`, ...issue }))
}

function hasListAt({ inputs }: CheckedNode, { socket }: Choice, lists: Lists): boolean {
  return inputs[socket]?.some((source) => lists.has(source)) ?? false
}
