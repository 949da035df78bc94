/** The schema of the run form: a field for each parameter, with the widget of the setting that uses it. */

import { isTextFormat, readValue } from '../../../../shared/parameters.ts'
import { typesOf } from '../../../../shared/values.ts'
import { type Catalogue, operationOf } from '../../api/operations.ts'
import type { Parameter, WorkflowDocument } from '../../api/workflow-document.ts'
import { onlyParameter, referencesOf } from '../document/references.ts'
import type { JsonSchema } from './schema.ts'

const borrowedWidgets = new Set(['color', 'image', 'model', 'textarea'])
/** Parameter name -> the schemas of the settings that are only this parameter. */
type Uses = ReadonlyMap<string, JsonSchema[]>

/** An object schema for `SchemaForm`. `catalogue` and `document` show how the parameters are used. */
export function parametersSchema(
  parameters: readonly Parameter[],
  document: WorkflowDocument | undefined,
  catalogue: Catalogue,
): JsonSchema {
  const uses = document === undefined ? new Map<string, JsonSchema[]>() : usesOf(document, catalogue)
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map((parameter) => [parameter.name, schemaOf(parameter, uses.get(parameter.name) ?? [])]),
    ),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
  }
}

/** The schema of the value alone: without a document that uses it. */
export function valueSchemaOf(parameter: Parameter): JsonSchema {
  return schemaOf(parameter, [])
}

function schemaOf(parameter: Parameter, uses: readonly JsonSchema[]): JsonSchema {
  const { name, type, format, schema, description, enum: options, labels, minimum, maximum } = parameter
  const value =
    parameter.default === undefined ? undefined : (readValue(parameter, parameter.default).value ?? undefined)
  const declared: JsonSchema = {
    title: name,
    ...(description === undefined ? {} : { description }),
    ...(value === undefined ? {} : { default: value }),
  }
  if (type === 'number') {
    const [use] = uses
    const isWhole = uses.some((use) => typesOf(use).includes('integer'))
    const unit = use?.['x-unit']
    return {
      ...declared,
      // Settings that need an integer limit the field. The parameter itself can be any number.
      type: isWhole ? 'integer' : 'number',
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
      ...(unit === undefined ? {} : { 'x-unit': unit }),
      // Bounds set by the author are small enough for a slider.
      ...(minimum === undefined || maximum === undefined ? {} : { 'x-widget': 'slider' }),
    }
  }
  if (format === 'boolean') return { ...declared, type: 'boolean' }
  if (format === 'json') return { ...(schema as JsonSchema | undefined), ...declared, 'x-json': true }
  if (options !== undefined)
    return { ...declared, enum: options, ...(labels === undefined ? {} : { 'x-labels': labels }) }
  // The service's pattern is checked with `readValue`.
  if (isTextFormat(format)) return { ...declared, type: 'string', format }
  const lender = uses.find((use) => borrowedWidgets.has(use['x-widget'] ?? ''))
  const widget = lender?.['x-widget']
  const localModels = lender?.['x-local-models']
  const isLong = widget === undefined && typeof value === 'string' && /\n|.{60}/.test(value)
  return {
    ...declared,
    type: 'string',
    maxLength: widget === 'image' ? 4096 : 5000,
    ...(widget !== undefined ? { 'x-widget': widget } : isLong ? { 'x-widget': 'textarea' } : {}),
    ...(localModels === undefined ? {} : { 'x-local-models': localModels }),
  }
}

function usesOf({ nodes }: WorkflowDocument, catalogue: Catalogue): Uses {
  const uses = new Map<string, JsonSchema[]>()
  for (const node of Object.values(nodes)) {
    const { params } = node
    const schema = operationOf(catalogue, node)?.params as JsonSchema | undefined
    if (schema !== undefined && params !== undefined) collect(params, schema, uses)
  }
  return uses
}

function collect(value: unknown, schema: JsonSchema, uses: Map<string, JsonSchema[]>): void {
  if (typeof value === 'string') {
    const name = onlyParameter(value) ?? soleImageParameter(value, schema)
    if (name !== undefined) uses.set(name, [...(uses.get(name) ?? []), schema])
  } else if (typeof value === 'object' && value !== null)
    for (const [key, setting] of Object.entries(value)) {
      const inner = schema.properties?.[key] ?? schema.items
      if (inner !== undefined) collect(setting, inner, uses)
    }
}

/** `{{ photo | default: "..." }}` still counts as this image parameter. */
function soleImageParameter(text: string, schema: JsonSchema): string | undefined {
  if (schema['x-widget'] !== 'image' || !/^\s*\{\{[^{}]*\}\}\s*$/.test(text)) return undefined
  const names = referencesOf(text).filter(({ kind }) => kind === 'parameter')
  return names.length === 1 ? names[0]?.name : undefined
}
