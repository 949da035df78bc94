/** Edits of parameters, as recipes for `change` of the document store. Templates and examples are updated. */

import { parameterNamePattern, reservedParameterNames } from '../../../../shared/names.ts'
import type { Parameter, WorkflowDocument } from '../../api/workflow-document.ts'
import { changeOutputs } from './edits.ts'
import { freeName } from './free-name.ts'
import { mapTexts, onlyParameter, referencesOf, renameIn } from './references.ts'

const namePattern = new RegExp(parameterNamePattern)

/** Why the name is not possible; undefined if it is. */
export function parameterNameProblem(document: WorkflowDocument, name: string): string | undefined {
  if (!namePattern.test(name))
    return 'A name starts with a letter, followed by letters, digits, _ or -. It has at most 64 characters.'
  const reserved = reservedParameterNames.get(name)
  if (reserved !== undefined) return `The name ${name} is reserved: templates read ${reserved} from it.`
  const isThere = document.parameters?.some((parameter) => parameter.name === name) ?? false
  return isThere ? `A parameter ${name} already exists.` : undefined
}

/** Returns `preferred`, or `preferred-2`, ... if it is reserved or taken. */
export function freeParameterName(document: WorkflowDocument, preferred = 'parameter'): string {
  return freeName(preferred, (candidate) => parameterNameProblem(document, candidate) !== undefined)
}

/** Adds a parameter with a free name, and returns the name. */
export function addParameter(document: WorkflowDocument, parameter: Partial<Parameter> = {}): string {
  const name = freeParameterName(document, parameter.name)
  document.parameters = [...(document.parameters ?? []), { type: 'string', ...parameter, name }]
  return name
}

/** Returns the problem; undefined if it succeeded. */
export function renameParameter(document: WorkflowDocument, from: string, to: string): string | undefined {
  if (from === to) return undefined
  const problem = parameterNameProblem(document, to)
  if (problem !== undefined) return problem
  const parameter = document.parameters?.find(({ name }) => name === from)
  if (parameter === undefined) return undefined
  parameter.name = to
  changeTexts(document, (text) => renameIn(text, 'parameter', from, to))
  for (const example of document.examples ?? []) {
    if (example.parameters === undefined || !Object.hasOwn(example.parameters, from)) continue
    const entries = Object.entries(example.parameters)
    example.parameters = Object.fromEntries(entries.map(([name, value]) => [name === from ? to : name, value]))
  }
  return undefined
}

/**
 * A field that is only `{{ name }}` gets the default of the parameter, or is removed if there is none. Other templates
 * stay and become issues.
 */
export function removeParameter(document: WorkflowDocument, name: string): void {
  const removed = document.parameters?.find((parameter) => parameter.name === name)
  if (removed === undefined) return
  const others = document.parameters?.filter((parameter) => parameter !== removed) ?? []
  if (others.length > 0) document.parameters = others
  else delete document.parameters
  for (const node of Object.values(document.nodes)) {
    for (const field of ['when', 'each'] as const) if (onlyParameter(node[field]) === name) delete node[field]
    if (node.params !== undefined) replaceIn(node.params, name, removed.default)
  }
  for (const output of [document.output, document.outputs])
    if (output !== undefined) replaceIn(output, name, removed.default)
  for (const { parameters } of document.examples ?? []) if (parameters !== undefined) delete parameters[name]
}

/** The parameters that the workflow reads. */
export function readParameters({ nodes, output, outputs }: WorkflowDocument): Set<string> {
  return usedParameters([nodes, output, outputs])
}

/** The parameters that a value reads. */
export function usedParameters(value: unknown): Set<string> {
  return new Set(referencesOf(value).flatMap((reference) => (reference.kind === 'parameter' ? [reference.name] : [])))
}

function replaceIn(parent: Record<string, unknown>, name: string, value: unknown): void {
  for (const [field, current] of Object.entries(parent)) {
    if (onlyParameter(current) !== name) {
      if (typeof current === 'object' && current !== null) replaceIn(current as Record<string, unknown>, name, value)
    } else if (value !== undefined) parent[field] = value
    else if (Array.isArray(parent)) parent[Number(field)] = ''
    else delete parent[field]
  }
}

function changeTexts(document: WorkflowDocument, change: (text: string) => string): void {
  for (const [id, { inputs, ...texts }] of Object.entries(document.nodes)) {
    const changed = mapTexts(texts, change)
    document.nodes[id] = inputs === undefined ? changed : { ...changed, inputs }
  }
  changeOutputs(document, (output) => mapTexts(output, change))
}
