/**
 * Converts a document to a checked workflow, or lists every problem with its path. A checked workflow never fails later because
 * of its form.
 */
import Type from 'typebox'
import type { ValueSchema } from '../../../shared/json-schema.ts'
import { partsOfWire } from '../../../shared/names.ts'
import { itemNames } from '../../../shared/template/check-name.ts'
import {
  parseTemplate,
  parseUnits,
  type Reference,
  type Template,
  TemplateProblem,
} from '../../../shared/template/template.ts'
import { show } from '../../../shared/text.ts'
import { isObject, isTemplate } from '../../../shared/values.ts'
import { findCycle, type Graph, reachable, topologicalOrder } from '../../domain/graph.ts'
import type { Models } from '../../domain/model.ts'
import { type Check, checker, joinPath } from '../../domain/validate.ts'
import {
  Each,
  eachExpected,
  type ParameterDeclaration,
  WorkflowDocument,
  type WorkflowNode,
} from '../../domain/workflow.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Catalogue, Operation } from '../../operations/define.ts'
import { brandUses } from './brand-uses.ts'
import { checkDelivery, deliveryWarnings } from './check-delivery.ts'
import { emptyOutputIssues, outputNodeIssues, parseOutputs } from './check-outputs.ts'
import { checkReferences, type Names, schemaOfReference } from './check-references.ts'
import { checkSockets } from './check-sockets.ts'
import type { CheckedNode, Checker, CheckResult, Extent, UsableWorkflows } from './checked-workflow.ts'
import { choiceIssues, choiceOf, operationIssues } from './choices.ts'
import { itemSchemas } from './item-schemas.ts'
import { extentOf, extentOfUsedIssues, kindsOf } from './kinds.ts'
import { listsOf } from './lists.ts'
import { imagesOf, templatedRequirementIssues, withRequirementCheck } from './model-requirements.ts'
import { checkDeclarations, checkExamples } from './parameters.ts'
import { structuredSchema } from './structured-values.ts'
import { inTurns, type Work, withoutTurns } from './template-turns.ts'
import { usedListIssues } from './used-lists.ts'
import { checkUsedParams, useIssues } from './used-workflow.ts'
import { parseTemplated } from './values.ts'
import { wellFormedPart } from './well-formed-part.ts'
import { namedNodes, readByOutputs, referencesOf } from './wires.ts'

/** Without `models`, requirements on models are not checked. */
export function createChecker(catalogue: Catalogue, models?: Models): Checker {
  const checks = new Map<string, Check>()
  const checkOf = (operation: Operation): Check => {
    const check = checks.get(operation.id) ?? checker(operation.params)
    checks.set(operation.id, check)
    return check
  }
  function* steps(document: unknown, usable: UsableWorkflows = new Map()): Work<CheckResult> {
    const { tooLarge, bytes, values, templateChars } = measure(document)
    if (tooLarge) return { issues: [tooLarge], overLimit: true }
    yield documentUnits + 5 * values + 0.05 * bytes
    const context: Context = { catalogue, checkOf, models, usable, size: { bytes, templateChars } }
    const issues = checkDocument(document)
    if (issues.length === 0) {
      const result = yield* checkMeaning(document as WorkflowDocument, context)
      return result.workflow ? result : { ...result, issues: result.issues.slice(0, limits.issuesMax) }
    }
    // The well-formed part is checked too, so that all problems are reported together.
    const rest = wellFormedPart(document)
    const more = rest === undefined ? [] : ((yield* checkMeaning(rest, context)).issues ?? [])
    const reported = new Set(issues.map(({ path }) => path))
    return { issues: [...issues, ...more.filter(({ path }) => !reported.has(path))].slice(0, limits.issuesMax) }
  }
  return Object.assign((document: unknown, usable?: UsableWorkflows) => withoutTurns(steps(document, usable)), {
    inTurns: (document: unknown, usable?: UsableWorkflows) => inTurns(steps(document, usable)),
  })
}

const checkDocument = checker(WorkflowDocument)
/** The schema of `each`, for `resolve`. */
export const EachHolder = Type.Object({ each: Each })
const checkEach = checker(EachHolder)
/** One issue: the errors as a list and as a count would contradict each other. */
export const checkEachHolder: Check = (value, at = '') => {
  const path = joinPath(at, 'each')
  const hasIssue = checkEach(value, at).some((issue) => issue.path === path)
  return hasIssue ? [{ path, message: `must be ${eachExpected}` }] : []
}

/** Measured, without the templates: work that doesn't depend on the nodes, and that of each node. */
const documentUnits = 1_000
const nodeUnits = 300

interface Measured extends Pick<Extent, 'bytes' | 'templateChars'> {
  tooLarge: Issue | undefined
  values: number
}

/** A document above one of the limits isn't checked any further: the check delays every other request. */
function measure(document: unknown): Measured {
  const refuse = (message: string) => ({ tooLarge: { path: '', message }, bytes: 0, values: 0, templateChars: 0 })
  if (!isObject(document)) return refuse('must be a workflow document: an object with "name", "nodes" and "output"')
  const bytes = Buffer.byteLength(JSON.stringify(document))
  if (bytes > limits.documentBytesMax)
    return refuse(`must have at most ${limits.documentBytesMax} bytes as JSON, not ${bytes}`)
  const { values, templates, templateChars } = countIn(document, { values: 0, templates: 0, templateChars: 0 })
  for (const [count, most, noun] of [
    [values, limits.documentValuesMax, 'values (texts, numbers, lists and objects)'],
    [templates, limits.templatesMax, 'templates'],
    [templateChars, limits.templatesCharsMax, 'characters in all templates together'],
  ] as const) {
    if (count > most) return refuse(`must have at most ${most} ${noun}, not ${count}`)
  }
  return { tooLarge: undefined, bytes, values, templateChars }
}

interface Counts {
  values: number
  templates: number
  templateChars: number
}

function countIn(value: unknown, counts: Counts): Counts {
  counts.values += 1
  if (isTemplate(value)) {
    counts.templates += 1
    counts.templateChars += value.length
  } else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) countIn(part, counts)
  }
  return counts
}

interface Context {
  catalogue: Catalogue
  checkOf: (operation: Operation) => Check
  models: Models | undefined
  usable: UsableWorkflows
  /** Of the document alone. */
  size: Pick<Extent, 'bytes' | 'templateChars'>
}

function* checkMeaning(
  document: WorkflowDocument,
  { catalogue, checkOf, models, usable, size }: Context,
): Work<CheckResult> {
  const issues: Issue[] = [
    ...checkDeclarations(document.parameters ?? []),
    ...checkExamples(document.examples ?? [], document.parameters ?? []),
    ...checkDelivery(document),
  ]
  const nodes = new Map<string, CheckedNode>()
  const references: { node?: string; at: string; found: Reference[] }[] = []
  const wronglyShaped = new Set<string>()
  const results = new Map<string, ValueSchema>()
  let overLimit = false

  const kinds = kindsOf(document, catalogue, usable, issues)
  const extent = extentOf(document, size, kinds)
  issues.push(...extentOfUsedIssues(extent))
  for (const [id, node] of Object.entries(document.nodes)) {
    if (issues.length >= limits.issuesMax) return { issues, overLimit }
    const at = `nodes.${id}`
    const { operation, used } = kinds.get(id) ?? {}
    if (operation === undefined) continue
    yield nodeUnits
    const checkParams = used ? checkUsedParams(used) : checkOf(operation)
    const params = yield* parseTemplated(node.params ?? {}, operation.params, checkParams, `${at}.params`)
    const when = yield* checkWhen(node.when, `${at}.when`)
    issues.push(...when.issues)
    const wires = checkSockets(node, operation, document, kinds, at, issues)
    const inputs = nodesOfWires(wires)
    issues.push(...params.issues)
    overLimit ||= params.overLimit || when.overLimit
    if (params.issues.length > 0) wronglyShaped.add(id)
    else {
      const schema = structuredSchema({ operation, params: params.parsed }, `${at}.params`, issues)
      if (schema) results.set(id, schema)
    }
    const each =
      node.each === undefined ? undefined : yield* parseTemplated({ each: node.each }, EachHolder, checkEachHolder, at)
    issues.push(...(each?.issues ?? []))
    for (const { path, template } of params.parsed.templates)
      references.push({ node: id, at: joinPath(at, 'params', path), found: template.references })
    const { condition } = when
    if (typeof condition !== 'boolean') references.push({ node: id, at: `${at}.when`, found: condition.references })
    // Not templates of the node: `each` is resolved before there is an item.
    for (const { path, template } of each?.parsed.templates ?? [])
      references.push({ at: joinPath(at, path), found: template.references })
    const templated = { params: params.parsed, each: each?.parsed, when: condition }
    const needs = [...Object.values(inputs).flat(), ...namedNodes(referencesOf(templated))]
    nodes.set(id, {
      id,
      operation,
      checkParams,
      inputs,
      ...templated,
      cache: node.cache ?? true,
      choice: undefined,
      needs: [...new Set(needs)],
      ...(used && { used }),
      ...(Object.values(wires)
        .flat()
        .some((wire) => partsOfWire(wire).output !== undefined) && { wires }),
    })
  }

  const outputs = yield* parseOutputs(document)
  issues.push(...outputs.issues)
  references.push(...outputs.references)
  overLimit ||= outputs.overLimit

  const operations = new Map([...nodes].map(([id, { operation }]) => [id, operation]))
  const graph: Graph = new Map([...nodes].map(([id, node]) => [id, node.needs]))
  const sorted = topologicalOrder(graph)
  const lists = listsOf(nodes, sorted)
  if (lists.size > 0) issues.push(...hiddenItems(document.parameters ?? []))
  for (const node of nodes.values()) {
    const choice = choiceOf(node, lists)
    if (choice) nodes.set(node.id, { ...node, choice })
    if (wronglyShaped.has(node.id)) continue
    issues.push(...choiceIssues(node, lists), ...useIssues(node), ...usedListIssues(node, lists))
    if (issues.length < limits.issuesMax) issues.push(...(yield* operationIssues(node)))
  }
  for (const node of nodes.values()) {
    if (models === undefined || node.operation.usesModel === undefined) continue
    const images = imagesOf(node, lists)
    if (!wronglyShaped.has(node.id)) issues.push(...templatedRequirementIssues(node, images, models))
    nodes.set(node.id, { ...node, checkParams: withRequirementCheck(node, images, models) })
  }
  const names: Names = { document, operations, lists, results }
  const items = itemSchemas(sorted, nodes, lists, (name) => schemaOfReference(name, names))
  for (const { node, at, found } of references) {
    if (issues.length >= limits.issuesMax) return { issues, overLimit }
    const canRepeat = node !== undefined && (nodes.get(node)?.used === undefined || nodes.get(node)?.each !== undefined)
    const owner = canRepeat ? node : undefined
    issues.push(
      ...checkReferences(found, at, names, { node: owner, item: node === undefined ? undefined : items.get(node) }),
    )
  }
  issues.push(...outputNodeIssues(outputs.outputs, { document, nodes, lists }))
  const cycle = findCycle(graph)
  if (cycle)
    issues.push({
      path: `nodes.${cycle[0]}`,
      message: `is part of a cycle: ${[...cycle, cycle[0]].reverse().join(' -> ')}. Remove one of these connections.`,
    })
  if (issues.length > 0) return { issues, overLimit }

  const needed = new Set(readByOutputs(outputs).flatMap((id) => [...reachable(graph, id)]))
  const order = sorted.filter((id) => needed.has(id))
  const withoutImages = emptyOutputIssues(outputs.outputs, nodes, order)
  if (withoutImages.length > 0) return { issues: withoutImages }
  const unconnected = [...nodes.keys()]
    .filter((id) => !needed.has(id))
    .map((id) => ({
      path: `nodes.${id}`,
      message: 'is not connected to an output, so it is not executed. Connect it, or remove it.',
    }))
  const runs = order.flatMap((id) => nodes.get(id) ?? [])
  const warnings = [...unconnected, ...deliveryWarnings(document, runs)]
  return {
    workflow: {
      document,
      parameters: document.parameters ?? [],
      nodes,
      order,
      output: outputs.outputs[0],
      outputs: outputs.outputs,
      brandUses: brandUses(runs, outputs.outputs),
      warnings,
      extent,
    },
  }
}

function nodesOfWires(wires: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(wires).map(([name, sources]) => [name, sources.map((wire) => partsOfWire(wire).node)]),
  )
}

function* checkWhen(when: WorkflowNode['when'], at: string): Work<CheckedCondition> {
  const right = { issues: [], overLimit: false }
  if (when === undefined) return { condition: true, ...right }
  if (!isTemplate(when)) return { condition: isTruthy(when), ...right }
  yield parseUnits(when)
  try {
    return { condition: parseTemplate(when), ...right }
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error
    return { condition: true, issues: [{ path: at, message: error.message }], overLimit: error.overLimit }
  }
}

interface CheckedCondition {
  condition: Template | boolean
  issues: Issue[]
  overLimit: boolean
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

/** Nothing, `false` and `0` are false. Everything else is true. */
export function isTruthy(value: unknown): boolean {
  const text = value === null || value === undefined ? '' : String(value).trim()
  return text !== '' && text !== 'false' && text !== '0'
}
