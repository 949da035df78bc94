/** Checks each node by itself: its params, wires, list and condition. The next checks are in `check-connections.ts`. */
import type { ValueSchema } from '../../../shared/json-schema.ts'
import { partsOfWire } from '../../../shared/names.ts'
import type { TextFormat } from '../../../shared/parameter-formats.ts'
import type { Reference } from '../../../shared/template/template.ts'
import { show } from '../../../shared/text.ts'
import { type Check, joinPath } from '../../domain/validate.ts'
import type { WorkflowDocument, WorkflowNode } from '../../domain/workflows/workflow.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Operation } from '../../operations/define.ts'
import { checkSockets, type Kinds } from './check-sockets.ts'
import type { CheckedNode, UsedWorkflow } from './checked-workflow.ts'
import { checkWhen } from './condition.ts'
import { checkEachHolder, EachHolder } from './each.ts'
import { checkUsedParams } from './used-workflow.ts'
import { schemaIssues } from './value-schemas.ts'
import { parseTemplated } from './values.ts'
import { namedNodes, referencesOf } from './wires.ts'

export interface CheckedNodes {
  nodes: Map<string, CheckedNode>
  references: TemplateReferences[]
  /** Nodes with invalid params: checks that read the params skip them. */
  wronglyShaped: Set<string>
  /** Node -> the schema of its structured value. */
  results: Map<string, ValueSchema>
  overLimit: boolean
  /** False if the check stopped at the maximum number of issues. */
  isComplete: boolean
}

/** The names that a template reads, and its path. `node`: the node whose item it may read. */
export interface TemplateReferences {
  node?: string
  at: string
  found: Reference[]
  /** The template. */
  text: string
}

interface Options {
  kinds: Kinds
  checkOf: (operation: Operation) => Check
  /** Found issues are added. */
  issues: Issue[]
}

export function checkNodes(document: WorkflowDocument, { kinds, checkOf, issues }: Options): CheckedNodes {
  const checked: CheckedNodes = {
    nodes: new Map(),
    references: [],
    wronglyShaped: new Set(),
    results: new Map(),
    overLimit: false,
    isComplete: true,
  }
  for (const [id, node] of Object.entries(document.nodes)) {
    if (issues.length >= limits.issuesMax) return { ...checked, isComplete: false }
    const kind = kinds.get(id)
    if (kind === undefined) continue
    checkNode(id, node, kind)
  }
  return checked

  function checkNode(
    id: string,
    node: WorkflowNode,
    { operation, used }: { operation: Operation; used?: UsedWorkflow | undefined },
  ): void {
    const at = `nodes.${id}`
    const checkParams = used ? checkUsedParams(used) : checkOf(operation)
    const params = parseTemplated(node.params ?? {}, operation.params, checkParams, `${at}.params`)
    const when = checkWhen(node.when, `${at}.when`)
    issues.push(...when.issues)
    const wires = checkSockets(node, operation, document, kinds, id, issues)
    const renamed = params.issues.flatMap(({ fix }) => fix?.rename ?? [])
    const isMeant = ({ path }: Issue) => renamed.some((name) => path === `${at}.params.${name}`)
    issues.push(
      ...params.issues.map((issue) => (isMeant(issue) ? issue : withExample(issue, operation, `${at}.params.`))),
    )
    checked.overLimit ||= params.overLimit || when.overLimit
    if (params.issues.length > 0) checked.wronglyShaped.add(id)
    else {
      const schema = structuredSchema({ operation, params: params.parsed }, `${at}.params`, issues)
      if (schema) checked.results.set(id, schema)
    }
    const each =
      node.each === undefined ? undefined : parseTemplated({ each: node.each }, EachHolder, checkEachHolder, at)
    issues.push(...(each?.issues ?? []))
    const templated = { params: params.parsed, each: each?.parsed, when: when.condition }
    checked.references.push(...templateReferences(id, at, templated))
    const inputs = nodesOfWires(wires)
    const needs = [...Object.values(inputs).flat(), ...namedNodes(referencesOf(templated))]
    checked.nodes.set(id, {
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
}

/** A required param gets a value of the examples of its operation. */
function withExample(issue: Issue, { examples }: Operation, at: string): Issue {
  if (issue.fix || issue.message !== 'is required' || !issue.path.startsWith(at)) return issue
  const name = issue.path.slice(at.length)
  const value = examples
    .map(({ params }) => (params as Record<string, unknown>)[name])
    .find((each) => each !== undefined)
  return value === undefined ? issue : { ...issue, fix: { value } }
}

function* templateReferences(
  node: string,
  at: string,
  { params, each, when }: Pick<CheckedNode, 'params' | 'each' | 'when'>,
): Generator<TemplateReferences, void> {
  for (const { path, template } of params.templates)
    yield { node, at: joinPath(at, 'params', path), found: template.references, text: template.text }
  if (typeof when !== 'boolean') yield { node, at: `${at}.when`, found: when.references, text: when.text }
  // Not templates of the node: `each` is resolved before there is an item.
  for (const { path, template } of each?.templates ?? [])
    yield { at: joinPath(at, path), found: template.references, text: template.text }
}

function nodesOfWires(wires: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(wires).map(([name, sources]) => [name, sources.map((wire) => partsOfWire(wire).node)]),
  )
}

/** The schema of the value; undefined without the param, or if it has issues, which are added. */
function structuredSchema(
  { operation, params }: Pick<CheckedNode, 'operation' | 'params'>,
  at: string,
  issues: Issue[],
): ValueSchema | undefined {
  const { param = '' } = operation.outputs.structured ?? {}
  const schema = params.values[param]
  if (schema === undefined) return undefined
  const path = `${at}.${param}`
  const [template] = params.templates.filter(({ keys }) => keys[0] === param)
  const found = template
    ? [
        {
          path: `${at}.${template.path}`,
          message: 'is a template, but the schema must be known when the workflow is saved. Write the value.',
        },
      ]
    : [...schemaIssues(schema, path), ...formatIssues(schema as ValueSchema, path, formatsOf(operation, param))]
  issues.push(...found)
  return found.length > 0 ? undefined : (schema as ValueSchema)
}

function formatsOf({ params }: CheckedNode['operation'], param: string): readonly TextFormat[] {
  const { 'x-formats': formats = [] } = (params.properties[param] ?? {}) as { 'x-formats'?: readonly TextFormat[] }
  return formats
}

/** Formats that the value can't have. Only for a schema without issues. */
function formatIssues(schema: ValueSchema, path: string, formats: readonly TextFormat[]): Issue[] {
  const { format, properties, items } = schema
  const formatProblems =
    typeof format === 'string' && !formats.includes(format)
      ? [
          {
            path: `${path}.format`,
            message: `must be one of ${formats.map(show).join(', ')}, not ${show(format)}: a model writes the value`,
          },
        ]
      : []
  const fields = Object.entries(properties ?? {}).flatMap(([name, property]) =>
    formatIssues(property, `${path}.properties.${name}`, formats),
  )
  return [...formatProblems, ...fields, ...(items ? formatIssues(items, `${path}.items`, formats) : [])]
}
