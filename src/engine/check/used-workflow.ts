/** Nodes of the type `workflow`: the workflow that they use, as an operation. */
import Type, { type TSchema } from 'typebox'
import { partsOfWire } from '../../../shared/names.ts'
import { didYouMean } from '../../../shared/suggest.ts'
import type { Reference, Template } from '../../../shared/template/template.ts'
import { list, show } from '../../../shared/text.ts'
import { isObject } from '../../../shared/values.ts'
import { type Check, joinPath, unknownName } from '../../domain/validate.ts'
import type { ParameterDeclaration, WorkflowNode } from '../../domain/workflows/workflow.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Operation, Socket } from '../../operations/define.ts'
import type { CheckedNode, CheckedWorkflow, UsableWorkflows, UsedWorkflow } from './checked-workflow.ts'
import { storedIssues } from './parameters.ts'

/** The `type` of nodes that use a workflow. */
export const workflowType = 'workflow'

/** The workflows that the nodes of a document name, each once. The document can have any form. */
export function namesOfUsed(document: unknown): string[] {
  if (!isObject(document) || !isObject(document.nodes)) return []
  const names = new Set<string>()
  for (const node of Object.values(document.nodes)) {
    if (isObject(node) && node.type === workflowType && typeof node.workflow === 'string') names.add(node.workflow)
    if (names.size > limits.nodesMax) break
  }
  return [...names]
}

/** The workflow of a node, or the issue of the fields that name it. */
export function usedBy(
  { type, workflow: name }: WorkflowNode,
  usable: UsableWorkflows,
  at: string,
): { used?: UsedWorkflow; issue?: Issue } {
  const path = `${at}.workflow`
  if (type !== workflowType) {
    if (name === undefined) return {}
    return {
      issue: { path, message: `is only for nodes of the type "${workflowType}". Remove it, or change the type.` },
    }
  }
  if (name === undefined)
    return { issue: { path, message: 'is required: the slug or id of a workflow and a version, as link-card@7' } }
  const found = usable.get(name) ?? { problem: 'is not known here' }
  return 'problem' in found ? { issue: { path, message: `is ${show(name)}, ${found.problem}` } } : { used: found }
}

/** The workflow as an operation: a socket and a param for each image, a param for each other parameter. */
export function operationOf({ name, workflow }: UsedWorkflow): Operation {
  const { parameters, document } = workflow
  const sockets = parameters.filter(isImage).map((parameter): [string, Socket] => {
    const description = parameter.description ?? `The image of the parameter ${show(parameter.name)}.`
    return [parameter.name, { description, required: false, many: false }]
  })
  const properties = parameters.map((parameter) => [parameter.name, Type.Optional(schemaOf(parameter))])
  return {
    id: workflowType,
    version: 1,
    title: document.name,
    summary: document.description ?? '',
    keywords: [],
    group: 'combine',
    inputs: Object.fromEntries(sockets),
    params: Type.Object(Object.fromEntries(properties), { additionalProperties: false }),
    outputs: { image: 'The image of its output.' },
    alpha: 'made',
    frames: 'whole',
    deterministic: true,
    examples: [],
    run: () => {
      throw new Error(`the workflow ${name} is a step, but its nodes replace it when the execution is planned`)
    },
  }
}

function isImage(declaration: ParameterDeclaration): boolean {
  return declaration.type === 'string' && declaration.format === 'image'
}

/** Only for the types of rendered templates: `checkUsedParams` checks the values. */
function schemaOf(declaration: ParameterDeclaration): TSchema {
  if (declaration.type === 'number') return Type.Number()
  if (declaration.format === 'boolean') return Type.Unsafe({ type: ['boolean', 'string'] })
  if (declaration.format === 'json') return Type.Unsafe({ ...declaration.schema, type: ['object', 'array', 'string'] })
  return Type.String()
}

/** Checks the params of a node as the parameters of the workflow. */
export function checkUsedParams({ name: workflowName, workflow: { parameters } }: UsedWorkflow): Check {
  return (params, at = '') => {
    const issues: Issue[] = []
    const names = parameters.map(({ name }) => name)
    for (const [name, value] of Object.entries(params as Record<string, unknown>)) {
      if (issues.length >= limits.issuesMax) break
      const path = joinPath(at, name)
      const declaration = parameters.find((parameter) => parameter.name === name)
      if (declaration === undefined) {
        const message =
          names.length > 0
            ? unknownName(`parameter of ${show(workflowName)}`, name, names)
            : `is not a parameter of ${show(workflowName)}, which has no parameters`
        issues.push({ path, message })
        continue
      }
      if (value === undefined || value === null) continue
      issues.push(...storedIssues(declaration, value, path))
    }
    return issues.slice(0, limits.issuesMax)
  }
}

/** Issues that depend on the used workflow: missing and doubled values, and images that can't be those of a node. */
export function useIssues(node: CheckedNode): Issue[] {
  const { used, id, params, inputs } = node
  if (used === undefined) return []
  const at = `nodes.${id}`
  const issues: Issue[] = []
  for (const declaration of used.workflow.parameters) {
    const { name } = declaration
    const isWired = inputs[name] !== undefined
    const isPassed = Object.hasOwn(params.values, name)
    if (isWired && isPassed)
      issues.push({ path: `${at}.params.${name}`, message: `is also an input. Remove one of them.` })
    if (declaration.required && declaration.default === undefined && !isWired && !isPassed)
      issues.push({
        path: `${at}.${isImage(declaration) ? 'inputs' : 'params'}.${name}`,
        message: isImage(declaration)
          ? `is required by ${show(used.name)}. Connect a node, or pass an image id or a URL in params.${name}.`
          : `is required by ${show(used.name)}. Set it to a value or a template.`,
      })
    const where = isWired ? readAsText(used.workflow).get(name) : undefined
    if (where !== undefined)
      issues.push({
        path: `${at}.inputs.${name}`,
        message: `can't be an image of a node, because ${show(used.name)} uses the parameter as text at ${where}. Pass an image id or a URL in params.${name}.`,
      })
  }
  issues.push(...earlyIssues(node))
  return issues
}

/**
 * Lists where a workflow reads its image parameters other than as the only param of a source, as the image of a
 * workflow, or in `when`: there, the image of a node has no text. Each workflow is searched once, because others use it
 * several times.
 */
function readAsText(workflow: CheckedWorkflow): ReadonlyMap<string, string> {
  const known = textReaders.get(workflow)
  if (known) return known
  const found = new Map<string, string>()
  const images = new Set(workflow.parameters.filter(isImage).map(({ name }) => name))
  const add = (references: readonly Reference[], at: string) => {
    for (const reference of references)
      if (reference.kind === 'parameter' && images.has(reference.name) && !found.has(reference.name))
        found.set(reference.name, at)
  }
  for (const id of workflow.order) {
    const node = workflow.nodes.get(id)
    if (node === undefined || images.has(imageParameterOf(node) ?? '')) continue
    for (const { path, keys, template } of node.params.templates)
      if (!passesImageOn(node, keys, template)) add(template.references, `nodes.${id}.params.${path}`)
    add(node.each?.references ?? [], `nodes.${id}.each`)
  }
  textReaders.set(workflow, found)
  return found
}

const textReaders = new WeakMap<CheckedWorkflow, ReadonlyMap<string, string>>()

/** Whether a param is an image parameter of a used workflow, whose value is an image parameter. */
function passesImageOn({ used }: CheckedNode, keys: readonly string[], { name: read }: Template): boolean {
  const [param, ...inside] = keys
  if (used === undefined || inside.length > 0 || read?.kind !== 'parameter' || read.rest.length > 0) return false
  const { workflow } = used
  return (
    workflow.parameters.some((parameter) => parameter.name === param && isImage(parameter)) &&
    !readAsText(workflow).has(param ?? '')
  )
}

/** The parameter whose image a node only reads, so that an image of another node can replace the node. */
export function imageParameterOf({ operation, params, each, when }: CheckedNode): string | undefined {
  const { sources = [] } = operation.reads ?? {}
  const [first, ...others] = Object.keys(params.values)
  if (first === undefined || others.length > 0 || !sources.includes(first) || each || when !== true) return undefined
  if (Object.keys(operation.inputs).length > 0) return undefined
  const name = params.templates[0]?.template.name
  return name?.kind === 'parameter' && name.rest.length === 0 ? name.name : undefined
}

/** `each` and `when` of a workflow decide which nodes there are, so they can't wait for values of nodes. */
function earlyIssues({ used, id, each, when, params }: CheckedNode): Issue[] {
  if (used === undefined) return []
  const issues: Issue[] = []
  const report = (path: string, node: string) => {
    const fix =
      path === 'when'
        ? `or pass the value in a parameter of ${show(used.name)}, and set \`when\` on the nodes inside.`
        : `or read the value in the nodes inside ${show(used.name)}: their params, \`each\` and \`when\` can wait for it.`
    issues.push({
      path: `nodes.${id}.${path}`,
      message: `reads a value of the node ${show(node)}, but a workflow is replaced by its nodes before any node runs. Use parameters and literal values, ${fix}`,
    })
  }
  const read = [
    ['each', each?.references ?? []],
    ['when', typeof when === 'boolean' ? [] : when.references],
  ] as const
  for (const [path, references] of read)
    for (const reference of references) if (reference.kind === 'value') report(path, reference.node)
  const early = earlyParameters(used.workflow)
  for (const { path, keys, template } of params.templates) {
    if (!early.has(keys[0] ?? '')) continue
    for (const reference of template.references)
      if (reference.kind === 'value') report(`params.${path}`, reference.node)
  }
  return issues
}

/** The parameters that `each` and `when` of the workflows inside read, also through their params. */
function earlyParameters(workflow: CheckedWorkflow): ReadonlySet<string> {
  const known = earlyReaders.get(workflow)
  if (known) return known
  const early = new Set<string>()
  const add = (references: CheckedNode['params']['references']) => {
    for (const reference of references) if (reference.kind === 'parameter') early.add(reference.name)
  }
  for (const { used, each: node, when, params } of workflow.nodes.values()) {
    if (used === undefined) continue
    add(node?.references ?? [])
    if (typeof when !== 'boolean') add(when.references)
    const inner = earlyParameters(used.workflow)
    for (const { keys, template } of params.templates) if (inner.has(keys[0] ?? '')) add(template.references)
  }
  earlyReaders.set(workflow, early)
  return early
}

const earlyReaders = new WeakMap<CheckedWorkflow, ReadonlySet<string>>()

/** The issue of a wire to a named output. */
export function wireProblem(wire: string, used: UsedWorkflow | undefined): string | undefined {
  const { node, output: name } = partsOfWire(wire)
  if (name === undefined) return undefined
  if (used === undefined)
    return `names the output ${show(name)} of the node ${show(node)}, but only nodes of the type "${workflowType}" have named outputs. Use ${show(node)}.`
  const outputs = used.workflow.outputs.filter((output) => output.name !== undefined && output.kind !== 'pdf')
  if (outputs.some((output) => output.name === name)) return undefined
  if (used.workflow.outputs.some((output) => output.name === name))
    return `names the output ${show(name)} of ${show(used.name)}, which is a PDF and no image. Use another output.`
  const names = outputs.map((output) => output.name ?? '')
  const known = names.length === 0 ? 'It has only its primary output.' : `Its named outputs: ${list(names)}.`
  return `names the output ${show(name)}, which ${show(used.name)} does not have. ${didYouMean(name, names) || known}`
}
