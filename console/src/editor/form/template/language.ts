/** Renders templates in the browser as far as values are known before a run, with the language and the limits of the service. */
import { brandName, missingBrandValue, unnamedBrandValue } from '../../../../../shared/brand.ts'
import { templateLimits } from '../../../../../shared/limits.ts'
import { type KnownNames, problemOfName } from '../../../../../shared/template/check-name.ts'
import { readField } from '../../../../../shared/template/fields.ts'
import { parseTemplate, type Reference, type Scope, TemplateProblem } from '../../../../../shared/template/template.ts'
import { convert, convertedTypesOf } from '../../../../../shared/values.ts'
import type { JsonSchema } from '../schema.ts'
import { problemOf } from '../value.ts'
import type { NodeValues, TemplateName } from './names.ts'

export interface TemplateScope {
  names: readonly TemplateName[]
  /** Values by name. A missing parameter renders to nothing. */
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
    const known = knownNames(scope.names)
    const wrong =
      firstProblem(template.references, (reference) => problemOfName(reference, known)) ??
      firstProblem(template.references, (reference) => problemOfField(reference, scope.names))
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

function firstProblem(references: readonly Reference[], problemOf: (reference: Reference) => string | undefined) {
  return references.map(problemOf).find((message) => message !== undefined)
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

/** Nodes that depend on the node of the template have no names. */
function knownNames(names: readonly TemplateName[]): KnownNames {
  const parameters = names.filter(({ name }) => !name.includes('.')).map(({ name }) => name)
  return {
    parameters,
    hasItem: parameters.includes('item'),
    valuesOf(node) {
      const values = names.flatMap(({ name }) => (name.startsWith(`nodes.${node}.`) ? (name.split('.')[2] ?? []) : []))
      return values.length > 0
        ? values
        : { problem: `uses the node "${node}", which does not exist or comes after this one` }
    },
  }
}

/** A field that the schema of the value doesn't have. */
function problemOfField(reference: Reference, names: readonly TemplateName[]): string | undefined {
  const name = nameOf(reference)
  if (name === brandName) return problemOfBrand(reference, names)
  return readField(name, names.find((known) => known.name === name)?.schema, reference.rest).problem
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
