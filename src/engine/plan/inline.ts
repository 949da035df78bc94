/**
 * Replaces each node that uses a workflow by the nodes of that workflow, so that everything after it (branches, fusing, keys, costs,
 * previews) sees one graph. Node `title` of the workflow at node `card` is `card/title`, for the second item of a list `card/2/title`.
 */
import Type from 'typebox'
import { brandName } from '../../../shared/brand.ts'
import { joined, type ValuesLeft } from '../../../shared/json-schema.ts'
import { passedValue, readValue, scopeValue } from '../../../shared/parameters.ts'
import type { TemplateBudget } from '../../../shared/template/cost.ts'
import { parseTemplate, type Reference, type Scope, TemplateProblem } from '../../../shared/template/template.ts'
import { counted, show } from '../../../shared/text.ts'
import { reachable, topologicalOrder } from '../../domain/graph.ts'
import type { ParameterDeclaration } from '../../domain/workflows/workflow.ts'
import type { Issue } from '../../errors.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import type { Operation } from '../../operations/define.ts'
import type {
  CheckedNode,
  CheckedOutput,
  CheckedWorkflow,
  Frame,
  LateParameter,
  Place,
  UsedWorkflow,
} from '../check/checked-workflow.ts'
import { isTruthy } from '../check/condition.ts'
import { checkEachHolder } from '../check/each.ts'
import { listOf } from '../check/lists.ts'
import { imageParameterOf, workflowType } from '../check/used-workflow.ts'
import { resolve, type Templated } from '../check/values.ts'
import { namedNodes, readByOutputs, referencesOf } from '../check/wires.ts'
import { lateNames, noValue, placedReferences } from './template-scopes.ts'

/** `scope`: the parameters of the execution. Without used workflows it returns the workflow itself. */
export function inlineWorkflows(
  workflow: CheckedWorkflow,
  { scope, budget }: { scope: Scope; budget: TemplateBudget },
): { workflow: CheckedWorkflow; issues: Issue[] } {
  if (workflow.extent.depth === 1) return { workflow, issues: [] }
  const inlining: Inlining = {
    nodes: new Map(),
    issues: [],
    budget,
    nodesLeft: limits.inlinedNodesMax - workflow.extent.nodes,
    bytesLeft: limits.inlinedBytesMax - workflow.extent.bytes,
    valuesLeft: { values: limits.parameterValuesMax },
  }
  const frame = newFrame('', scope)
  placeNodes(workflow, frame, inlining)
  const { nodes, issues } = inlining
  if (budget.unitsLeft < 0) issues.push({ path: 'nodes', message: tooManyReads })
  if (issues.length > 0) return { workflow, issues }
  const [primary, ...others] = workflow.outputs.map((output) => placeOutput(output, frame, budget))
  if (primary === undefined) throw new Error('a checked workflow has an output')
  const outputs = [primary, ...others]
  const graph = new Map([...nodes].map(([id, node]) => [id, node.needs]))
  const needed = new Set(readByOutputs({ outputs }).flatMap((id) => [...reachable(graph, id)]))
  const order = topologicalOrder(graph).filter((id) => needed.has(id))
  return { workflow: { ...workflow, nodes, order, output: primary, outputs }, issues }
}

const tooManyReads =
  'read too many parameters of workflows that wait for values of nodes. Read fewer of them, or compute the values in fewer nodes.'

interface Inlining {
  /** Nodes of the plan. */
  nodes: Map<string, CheckedNode>
  issues: Issue[]
  budget: TemplateBudget
  nodesLeft: number
  bytesLeft: number
  valuesLeft: ValuesLeft
}

interface OpenFrame extends Frame {
  prefix: string
  late: Map<string, LateParameter>
  ids: Map<string, string>
  /** Image parameter -> the node of the plan whose image it is. */
  images: Map<string, string>
  /** Wire -> the nodes of the plan: one for each item of a workflow with `each`. */
  wires: Map<string, readonly string[]>
}

function newFrame(prefix: string, scope: Scope): OpenFrame {
  return { prefix, scope, late: new Map(), ids: new Map(), images: new Map(), wires: new Map() }
}

function placeNodes(workflow: CheckedWorkflow, frame: OpenFrame, inlining: Inlining): void {
  for (const id of workflow.order) {
    if (inlining.issues.length > 0 || inlining.budget.unitsLeft < 0) return
    const node = workflow.nodes.get(id)
    if (node === undefined) continue
    const image = frame.images.get(imageParameterOf(node) ?? '')
    if (image !== undefined) frame.ids.set(id, image)
    else if (node.used) placeWorkflow(node, node.used, frame, inlining)
    else {
      const placed = placeNode(node, frame, inlining.budget)
      frame.ids.set(id, placed.id)
      inlining.nodes.set(placed.id, placed)
    }
  }
}

function placeNode(node: CheckedNode, frame: OpenFrame, budget: TemplateBudget): CheckedNode {
  const { params, each, when } = node
  const references = referencesOf(node)
  const { inputs, names } = placeInputs(node, frame)
  return {
    ...node,
    id: frame.prefix + node.id,
    inputs,
    names,
    params: placeTemplated(params, frame, budget),
    each: each && placeTemplated(each, frame, budget),
    when: typeof when === 'boolean' ? when : { ...when, references: placedReferences(when.references, frame, budget) },
    needs: needsOf(inputs, placedReferences(references, frame, budget)),
    place: placeOf(references, frame),
  }
}

/** A socket for several images gets those of all items. `names`: the wires of the document, in the order of the inputs. */
function placeInputs(node: CheckedNode, frame: OpenFrame) {
  const placed = Object.entries(node.wires ?? node.inputs).map(([name, wires]) => {
    const isMany = node.operation.inputs[name]?.many === true
    const pairs = wires.flatMap((wire) =>
      (isMany ? allOf(wire, frame) : [oneOf(wire, frame)]).map((id) => ({ wire, id })),
    )
    return { name, ids: pairs.map(({ id }) => id), wires: pairs.map(({ wire }) => wire) }
  })
  return {
    inputs: Object.fromEntries(placed.map(({ name, ids }) => [name, ids])),
    names: Object.fromEntries(placed.map(({ name, wires }) => [name, wires])),
  }
}

function oneOf(wire: string, { ids }: OpenFrame): string {
  return ids.get(wire) ?? wire
}

function allOf(wire: string, frame: OpenFrame): readonly string[] {
  return frame.wires.get(wire) ?? [oneOf(wire, frame)]
}

function placeOutput(output: CheckedOutput, frame: OpenFrame, budget: TemplateBudget): CheckedOutput {
  const nodes = output.wires.flatMap((wire) => (output.kind === 'pdf' ? allOf(wire, frame) : [oneOf(wire, frame)]))
  const { settings } = output
  return {
    ...output,
    node: nodes[0] ?? output.node,
    nodes,
    settings: placeTemplated(settings, frame, budget),
    place: placeOf(settings.references, frame),
  }
}

function placeTemplated(templated: Templated, frame: OpenFrame, budget: TemplateBudget): Templated {
  return { ...templated, references: placedReferences(templated.references, frame, budget) }
}

function placeOf(references: readonly Reference[], frame: OpenFrame): Place {
  return { frame, late: lateNames(references, frame) }
}

function needsOf(inputs: Record<string, string[]>, references: readonly Reference[]): string[] {
  return [...new Set([...Object.values(inputs).flat(), ...namedNodes(references)])]
}

interface Use {
  node: CheckedNode
  used: UsedWorkflow
  /** The frame of the node. */
  outer: OpenFrame
  /** Parameter -> its value in the scope, if it is the same for all items. */
  constants: Map<string, unknown>
}

/** The workflow of a node: once, or once for each item. */
function placeWorkflow(node: CheckedNode, used: UsedWorkflow, frame: OpenFrame, inlining: Inlining): void {
  const id = frame.prefix + node.id
  const items = node.each && itemsOf(node, frame, inlining)
  if (!takes(used, items?.length ?? 1, id, inlining)) return
  const use: Use = { node, used, outer: frame, constants: new Map() }
  if (items === undefined) {
    for (const [name, planned] of placeOnce(use, { id, items: {} }, inlining))
      frame.ids.set(wireTo(node.id, name), planned)
    return
  }
  const placements = items.map((item, index) =>
    placeOnce(use, { id: `${id}/${index + 1}`, items: { item, index } }, inlining),
  )
  for (const name of imageOutputs(used)) {
    const sources = placements.map((outputs) => outputs.get(name) ?? '')
    const list = collected(wireTo(id, name), items, sources)
    inlining.nodes.set(list.id, list)
    frame.ids.set(wireTo(node.id, name), list.id)
    frame.wires.set(wireTo(node.id, name), sources)
  }
}

/** Counts the nodes before they are made. One use of each workflow is counted already. */
function takes(used: UsedWorkflow, count: number, id: string, inlining: Inlining): boolean {
  const { nodes, bytes } = used.workflow.extent
  inlining.nodesLeft -= (count - 1) * nodes
  inlining.bytesLeft -= (count - 1) * bytes
  if (inlining.nodesLeft >= 0 && inlining.bytesLeft >= 0) return true
  const [most, needed] =
    inlining.nodesLeft < 0
      ? [`${limits.inlinedNodesMax} nodes`, `${nodes} nodes`]
      : [`${limits.inlinedBytesMax} bytes of workflows as JSON`, `${bytes} bytes`]
  inlining.issues.push({
    path: `nodes.${id}.each`,
    message: `has ${counted(count, 'item')}, but an execution can have at most ${most} with those of all workflows, and ${show(used.name)} has ${needed}. Use fewer items, or a smaller workflow.`,
  })
  return false
}

function imageOutputs({ workflow }: UsedWorkflow): (string | undefined)[] {
  return workflow.outputs.flatMap(({ kind, name }) => (kind === 'pdf' ? [] : [name]))
}

function wireTo(node: string, output: string | undefined): string {
  return output === undefined ? node : `${node}.${output}`
}

function isWanted({ id, when }: CheckedNode, frame: OpenFrame, items: Scope, { budget, issues }: Inlining): boolean {
  if (typeof when === 'boolean') return when
  try {
    return isTruthy(when.evaluate({ ...frame.scope, ...items }, budget))
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error
    issues.push({ path: `nodes.${frame.prefix}${id}.when`, message: error.message })
    return false
  }
}

function itemsOf({ id, each }: CheckedNode, frame: OpenFrame, { budget, issues }: Inlining): unknown[] {
  if (each === undefined) return []
  const at = `nodes.${frame.prefix}${id}`
  const { resolved, issues: wrong } = resolve(each, checkEachHolder, { scope: frame.scope, budget }, at)
  issues.push(...wrong)
  return wrong.length > 0 ? [] : listOf(resolved.each)
}

/** Output -> node of the plan. `id`: of the node or the item in the plan. */
function placeOnce(
  use: Use,
  { id, items }: { id: string; items: Scope },
  inlining: Inlining,
): Map<string | undefined, string> {
  const { node, used, outer } = use
  if (inlining.issues.length > 0) return new Map()
  if (!isWanted(node, outer, items, inlining)) {
    const [first] = Object.values(placeInputs(node, outer).inputs).flat()
    inlining.nodes.set(id, skipped(id, first))
    return new Map(imageOutputs(used).map((name) => [name, id]))
  }
  const brand = outer.scope[brandName]
  const frame = newFrame(`${id}/`, brand === undefined ? {} : { [brandName]: brand })
  for (const declaration of used.workflow.parameters) bind(declaration, use, items, frame, inlining)
  placeNodes(used.workflow, frame, inlining)
  return new Map(
    used.workflow.outputs.flatMap(({ kind, name, wires: [wire = ''] }) =>
      kind === 'pdf' ? [] : [[name, oneOf(wire, frame)] as const],
    ),
  )
}

/** The text of an image parameter whose image is that of a node: only `when` reads it, to test whether there is one. */
const wiredImage = 'image'

/** Adds the value of a parameter to the frame. */
function bind(declaration: ParameterDeclaration, use: Use, items: Scope, frame: OpenFrame, inlining: Inlining): void {
  const { name } = declaration
  const { node, outer, constants } = use
  const value = Object.hasOwn(node.params.values, name) ? paramOf(node.params, name) : undefined
  const image = imageOf(node, name, value, outer)
  if (image !== undefined) {
    frame.images.set(name, image)
    frame.scope[name] = wiredImage
    return
  }
  if (constants.has(name)) {
    frame.scope[name] = constants.get(name)
    return
  }
  const at = `nodes.${outer.prefix}${node.id}.params`
  const known = { ...outer.scope, ...items }
  if (
    value &&
    !value.references.every((reference) => reference.kind === 'parameter' && Object.hasOwn(known, reference.name))
  ) {
    const references = placedReferences(value.references, outer, inlining.budget).filter(({ kind }) => kind === 'value')
    frame.late.set(name, { declaration, value, at, place: placeOf(value.references, outer), items, references })
    return
  }
  const found = scopeValueOf(declaration, value, { at, scope: known }, inlining)
  frame.scope[name] = found
  if (!value?.references.some((reference) => reference.kind === 'parameter' && Object.hasOwn(items, reference.name)))
    constants.set(name, found)
}

/** The value as templates see it. `value`: the param that is passed. */
function scopeValueOf(
  declaration: ParameterDeclaration,
  value: Templated | undefined,
  { at, scope }: { at: string; scope: Scope },
  { issues, budget, valuesLeft }: Inlining,
): unknown {
  const { name } = declaration
  const result = value && resolve(value, () => [], { scope, budget }, at)
  issues.push(...(result?.issues ?? []))
  if (result && result.issues.length > 0) return null
  const passed = passedValue(declaration, result?.resolved[name]) ?? declaration.default
  if (passed === undefined && !declaration.required) return null
  const { value: read, problems = [] } =
    passed === undefined ? { problems: [noValue] } : readValue(declaration, passed, valuesLeft)
  for (const { path, message } of problems.slice(0, limits.issuesMax))
    issues.push({ path: joined(`${at}.${name}`, path), message })
  return read === undefined ? null : scopeValue(declaration, read)
}

/** The node whose image the parameter is: by a wire, or because the param passes on an image parameter that is one. */
function imageOf(node: CheckedNode, name: string, value: Templated | undefined, outer: OpenFrame): string | undefined {
  if (Object.hasOwn(node.inputs, name)) return placeInputs(node, outer).inputs[name]?.[0]
  const read = value?.templates[0]?.template.name
  return read?.kind === 'parameter' && read.rest.length === 0 ? outer.images.get(read.name) : undefined
}

/** One of several params. */
function paramOf({ values, templates, copyUnits }: Templated, name: string): Templated {
  const ownTemplates = templates.filter(({ keys }) => keys[0] === name)
  return {
    values: { [name]: values[name] },
    templates: ownTemplates,
    references: ownTemplates.flatMap(({ template }) => template.references),
    copyUnits,
  }
}

/** Nodes of a plan that stand for a node with a workflow: the list of its images, or what it passes on if it is skipped. */
const about: Omit<Operation, 'inputs' | 'params' | 'run'> = {
  id: workflowType,
  version: 1,
  title: 'Workflow',
  summary: 'The images of a workflow.',
  keywords: [],
  group: 'combine',
  outputs: { image: 'The image.' },
  alpha: 'kept',
  frames: 'whole',
  deterministic: true,
  examples: [],
}

/** Runs for each item, and returns its image. */
const collect: Operation = {
  ...about,
  inputs: { images: { description: 'The image of each item.', required: true, many: true } },
  params: Type.Object({ index: Type.Integer() }),
  async run(inputs, params) {
    const image = (inputs.images as unknown as ImageValue[])[(params as { index: number }).index]
    return image ? { image } : {}
  },
}

const pass: Operation = {
  ...about,
  inputs: { image: { description: 'The image that is passed on.', required: false, many: false } },
  params: Type.Object({}),
  run: async ({ image }) => (image ? { image: image as ImageValue } : {}),
}

const index = parseTemplate('{{ index }}')
const indexParam: Templated = {
  values: { index: index.text },
  templates: [{ keys: ['index'], path: 'index', types: ['integer'], template: index }],
  references: index.references,
  copyUnits: 1,
}
const nothing: Templated = { values: {}, templates: [], references: [], copyUnits: 0 }
/** Nothing of the workflow is visible in it. */
const ownPlace: Place = { frame: { scope: {}, late: new Map(), ids: new Map() }, late: [] }

const common = { checkParams: () => [], each: undefined, when: true, cache: true, choice: undefined, place: ownPlace }

/** The list of the images of a workflow with `each`. `sources`: the node of each item. */
function collected(id: string, items: unknown[], sources: string[]): CheckedNode {
  const inputs = { images: sources }
  const each = { ...nothing, values: { each: items } }
  return { ...common, id, operation: collect, inputs, params: indexParam, each, needs: [...new Set(sources)] }
}

/** A workflow whose `when` is false passes on its first input. */
function skipped(id: string, source: string | undefined): CheckedNode {
  const sources = source === undefined ? [] : [source]
  const inputs = source === undefined ? {} : { image: sources }
  return { ...common, id, operation: pass, inputs, params: nothing, when: false, needs: sources }
}
