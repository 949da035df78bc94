/** Renders templates in the browser as far as values are known before a run, with the language and the limits of the service. */
import { brandName, missingBrandValue, unnamedBrandValue } from '../../../../../shared/brand.ts'
import { templateLimits } from '../../../../../shared/limits.ts'
import { readField } from '../../../../../shared/template/fields.ts'
import { onlyWithEach, unknownParameter, unknownValue } from '../../../../../shared/template/names.ts'
import { parseTemplate, type Reference, type Scope, TemplateProblem } from '../../../../../shared/template/template.ts'
import { convert, convertedTypesOf } from '../../../../../shared/values.ts'
import type { JsonSchema } from '../schema.ts'
import { problemOf } from '../value.ts'
import type { NodeValues, TemplateName } from './names.ts'

export interface TemplateScope {
  names: readonly TemplateName[]
  /** By name. A missing parameter renders to nothing. */
  parameters: Readonly<Record<string, unknown>>
  /** `item` and `index`, if they are known. */
  item?: Readonly<Record<string, unknown>>
  nodes: NodeValues
}

export type Rendered =
  | { kind: 'value'; value: unknown }
  /** Names whose values are known only at run time. */
  | { kind: 'unknown'; names: string[] }
  | { kind: 'problem'; message: string }

/** The result is converted to the type of the schema, as in the API. */
export function render(text: string, schema: JsonSchema, scope: TemplateScope): Rendered {
  try {
    const template = parseTemplate(text, schema['x-template'])
    const read = [...new Set(template.references.map(nameOf))]
    const wrong =
      read.map((name) => problemOfName(name, scope.names)).find((message) => message !== undefined) ??
      template.references.map((each) => problemOfField(each, scope.names)).find((message) => message !== undefined)
    if (wrong !== undefined) return problem(wrong)
    const unknown = read.filter((name) => !isKnown(name, scope))
    if (unknown.length > 0) return { kind: 'unknown', names: unknown }
    const budget = { unitsLeft: templateLimits.templatesUnitsMax, processorMs: () => performance.now() }
    const value = convert(template.evaluate(valuesOf(scope), budget), convertedTypesOf(schema))
    if (value === undefined) return { kind: 'value', value: schema.default }
    const message = problemOf(value, schema)
    return message === undefined ? { kind: 'value', value } : problem(message)
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error
    return problem(error.message)
  }
}

function problem(message: string): Rendered {
  return { kind: 'problem', message }
}

function valuesOf(scope: TemplateScope): Scope {
  const names = scope.names.filter(({ name }) => !name.includes('.')).map(({ name }) => [name, null])
  return { ...Object.fromEntries(names), ...scope.parameters, ...scope.item, nodes: Object.fromEntries(scope.nodes) }
}

/** `width`, `nodes.photo.width`: as in `TemplateName`, without the properties of their values. */
function nameOf(reference: Reference): string {
  return reference.kind === 'parameter' ? reference.name : `nodes.${reference.node}.${reference.value}`
}

function problemOfName(read: string, names: readonly TemplateName[]): string | undefined {
  if (names.some(({ name }) => name === read)) return undefined
  const [root, node, value] = read.split('.')
  if (root !== 'nodes') {
    if (root === 'item' || root === 'index') return onlyWithEach(root)
    const declared = names.filter(({ name }) => !name.includes('.')).map(({ name }) => name)
    return unknownParameter(root ?? '', declared)
  }
  if (node === undefined || value === undefined)
    return 'must name a node and its value after `nodes`, as in `nodes.photo.width`'
  const outputs = names.flatMap(({ name }) => (name.startsWith(`nodes.${node}.`) ? (name.split('.')[2] ?? []) : []))
  return outputs.length === 0
    ? `uses the node "${node}", which does not exist or comes after this one`
    : unknownValue(value, node, outputs)
}

/** A field that the schema of the value doesn't have. */
function problemOfField(reference: Reference, names: readonly TemplateName[]): string | undefined {
  const name = nameOf(reference)
  if (name === brandName) return problemOfBrand(reference, names)
  return readField(name, names.find((each) => each.name === name)?.schema, reference.rest).problem
}

function problemOfBrand({ rest: [value] }: Reference, names: readonly TemplateName[]): string | undefined {
  if (typeof value !== 'string') return unnamedBrandValue
  const known = names.find(({ name }) => name === brandName)?.schema?.properties
  return known === undefined || Object.hasOwn(known, value) ? undefined : missingBrandValue(value, Object.keys(known))
}

function isKnown(name: string, { nodes, item }: TemplateScope): boolean {
  if (name === 'item' || name === 'index') return item !== undefined && Object.hasOwn(item, name)
  const [root, node = '', value = ''] = name.split('.')
  return root !== 'nodes' || Object.hasOwn(nodes.get(node) ?? {}, value)
}
